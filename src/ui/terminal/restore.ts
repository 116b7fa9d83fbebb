import { writeSync } from 'node:fs';
import type { MouseUse } from '#protocol/command.ts';

/**
 * Focus reports, and no wrapping: a terminal that takes an emoji for wider than we do must cut that row and not push
 * all others down. Ink owns the screen, the cursor, kitty and paste.
 */
const enterSequence = '\x1b[?7l\x1b[?1004h';
const leaveSequence = '\x1b[0 q\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?7h';

/** Presses, drags and the wheel as SGR reports. */
const mouseOn = '\x1b[?1000h\x1b[?1002h\x1b[?1006h';
/** The terminal selects by itself and sends the wheel as arrow keys; how it did that before is kept for the way back. */
const mouseOff = '\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1007s\x1b[?1007h';
const wheelAsBefore = '\x1b[?1007r';

/**
 * Puts every mode back that the screen may have changed, in an order that works on all of them: synchronized
 * output, the cursor's shape, mouse, focus, wrapping, paste, kitty keys, then style, the main screen and the cursor.
 */
export const restoreSequence = [
  '\x1b[?2026l',
  '\x1b[?1003l',
  leaveSequence,
  '\x1b[?2004l',
  '\x1b[<u',
  '\x1b[>4;0m',
  '\x1b[0m',
  '\x1b[?1049l',
  '\x1b[?25h',
].join('');

/** Sets what Ink does not: mouse and focus reports, no wrapping. */
export function enterScreen(write: (text: string) => void, mouse: MouseUse): void {
  write(enterSequence + (mouse === 'on' ? mouseOn : mouseOff));
}

/** Takes the mouse or gives it back while the screen is up. */
export function switchMouse(write: (text: string) => void, mouse: MouseUse): void {
  write(mouse === 'on' ? wheelAsBefore + mouseOn : mouseOff);
}

/** Gives the mouse back, e.g. while an editor runs or so that the terminal can select text. */
export function leaveScreen(write: (text: string) => void, mouse: MouseUse): void {
  write(mouse === 'on' ? leaveSequence : leaveSequence + wheelAsBefore);
}

/** Written before anything is printed after the screen; returns at once and cannot fail. */
export function restoreTerminal(fd: number): void {
  writeAll(fd, restoreSequence);
}

type ExitSource = Pick<NodeJS.Process, 'on' | 'off'>;

/**
 * From here on the terminal is restored however the process ends: at `exit`, also after an uncaught error. The first
 * signal of a terminal or a supervisor goes to `onSignal`, which is to take the screen down in order; when that
 * fails, or a second one comes, the terminal is restored at once. Returns how to disarm, for when the screen is gone.
 */
export function armRestore(options: {
  fd: number;
  process: ExitSource;
  onSignal: (signal: NodeJS.Signals) => void;
  /** The terminal was put back: what is drawn from now on would stand among the person's own output. */
  onRestore?: () => void;
}): () => void {
  const { fd, process } = options;
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2', 'SIGALRM'] as const;
  const restore = () => {
    restoreTerminal(fd);
    options.onRestore?.();
  };
  let isEnding = false;
  const handlers = signals.map((signal) => {
    const handler = () => {
      if (isEnding) restore();
      isEnding = true;
      try {
        options.onSignal(signal);
      } catch (error) {
        restore();
        throw error;
      }
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  process.on('exit', restore);
  process.on('uncaughtExceptionMonitor', restore);
  return () => {
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    for (const off of handlers) off();
  };
}

/** Synchronous, so that it also works in an exit handler. A terminal in non-blocking mode may take it in parts. */
function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text, 'latin1');
  for (let attempt = 0; rest.length > 0 && attempt < 1_000; attempt += 1) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isBusy) return; // The terminal is gone: there is nothing left to restore.
    }
  }
}
