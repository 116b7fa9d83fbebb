import type { Clock } from '#lib/clock.ts';
import type { MouseUse } from '#protocol/command.ts';
import type { InputTap } from '../terminal/input-tap.ts';
import { enterScreen, leaveScreen, switchMouse } from '../terminal/restore.ts';
import type { TerminalDoor } from './controller.ts';
import { editOutside } from './external-editor.ts';

/** What only a mounted Ink can do. */
export interface InkControl {
  /** Gives the terminal away while `work` runs, then takes it back and draws everything anew. */
  suspend(work: () => Promise<void>): Promise<void>;
  /** Forgets what is on the screen and draws everything anew. */
  redraw(): void;
  leave(): void;
  /** Ends the screen with an error. */
  fail(error: unknown): void;
}

interface TerminalControl extends TerminalDoor {
  /** The modes that the screen needs, and back to those of the shell. */
  enter(): void;
  giveBack(): void;
  /** From here on a stop from outside gives the terminal back first, and a continue takes it again. */
  watchSignals(): () => void;
}

type SignalProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'kill'>;

/** Without a shell that does job control nobody stops us; then the screen comes back after this time. */
const stopGraceMs = 250;

export function createTerminalControl(options: {
  ink: () => InkControl | undefined;
  write: (text: string) => void;
  clock: Clock;
  editorCommand: readonly string[];
  process: SignalProcess;
  mouse: MouseUse;
  tap: Pick<InputTap, 'readsWheelKeys'>;
  copy: TerminalDoor['copy'];
  /** Shows a text in a pager, once the terminal is given away. */
  page: TerminalDoor['page'];
  /** The terminal is ours again. */
  onReturn?: () => void;
}): TerminalControl {
  const { write, clock, process } = options;
  let { mouse } = options;
  let isAway = false;
  let isWatching = false;

  const away = async (work: () => Promise<void>) => {
    const ink = options.ink();
    if (!ink || isAway) return;
    isAway = true;
    leaveScreen(write, mouse);
    try {
      await ink.suspend(work);
    } finally {
      isAway = false;
      enterScreen(write, mouse);
      options.onReturn?.();
    }
  };
  const fail = (error: unknown) => options.ink()?.fail(error);
  const onStop = () => void away(stop).catch(fail);
  /** Somebody stopped us without asking: the terminal is as the shell left it. */
  const onContinue = () => void away(async () => undefined).catch(fail);

  /** Stops the whole foreground job, as the terminal's own Ctrl+Z would, until it is continued. */
  const stop = async () => {
    const continued = new AbortController();
    const goOn = () => continued.abort();
    process.once('SIGCONT', goOn);
    process.off('SIGTSTP', onStop);
    process.kill(0, 'SIGTSTP');
    // The wait also keeps the process alive: nothing else does while the terminal is given away.
    await clock.wait(stopGraceMs, { signal: continued.signal });
    process.off('SIGCONT', goOn);
    if (isWatching) process.on('SIGTSTP', onStop);
  };

  return {
    enter() {
      options.tap.readsWheelKeys = mouse === 'off';
      enterScreen(write, mouse);
    },
    giveBack: () => leaveScreen(write, mouse),
    setMouse(wanted) {
      if (wanted === mouse) return;
      mouse = wanted;
      options.tap.readsWheelKeys = mouse === 'off';
      // While somebody else has the terminal, they have its mouse too.
      if (!isAway) switchMouse(write, mouse);
    },
    redraw() {
      if (!isAway) options.ink()?.redraw();
    },
    suspend: () => away(stop),
    async editText(text) {
      let edited: string | undefined;
      await away(async () => {
        edited = await editOutside(text, options.editorCommand);
      });
      return edited;
    },
    async page(text) {
      let file: string | undefined;
      await away(async () => {
        file = await options.page(text);
      });
      return file;
    },
    copy: options.copy,
    leave: () => options.ink()?.leave(),
    watchSignals() {
      isWatching = true;
      process.on('SIGTSTP', onStop);
      process.on('SIGCONT', onContinue);
      return () => {
        isWatching = false;
        process.off('SIGTSTP', onStop);
        process.off('SIGCONT', onContinue);
      };
    },
  };
}
