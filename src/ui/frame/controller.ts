import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { CommandOutcome, DialogName } from '#protocol/command.ts';
import type { ConsultReview } from '#protocol/consult-review.ts';
import type { KeyBindings } from '#protocol/key-bindings.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import { nextMode } from '#protocol/permission-mode.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import { type ChordTiming, createChords } from '../input/chords.ts';
import type { KeyPress } from '../input/key-press.ts';
import { commandFor, type KeyCommand, type Keymap } from '../input/keymap.ts';
import { isCommandLine } from '../prompt/completion.ts';
import { isMemoryLine } from '../prompt/prompt-rows.ts';
import type { PromptEffect } from '../prompt/prompt-state.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { isBusy } from '../status/activity.ts';
import { canGoOn, runningCommand } from '../status/turn-facts.ts';
import type { UiStore } from '../store/ui-store.ts';
import type { CopyReport } from '../terminal/clipboard/copy-text.ts';
import type { TranscriptActions } from '../transcript/actions.ts';
import type { ScreenStore } from './screen-state.ts';
import { createSendOrder, opensThread } from './send-order.ts';
import type { TextOut } from './text-out.ts';
import type { ThreadFollower } from './thread-follower.ts';
import { transcriptCommand } from './transcript-command.ts';

/** What the controller needs of the dialogs. */
interface DialogDoor {
  isOpen(): boolean;
  /** `isArmed` false: it came up just now, and keys that were on their way are not for it. */
  getSnapshot(): { readonly isArmed: boolean };
  open(name: DialogName, filter?: string): void;
  confirmModel(preflight: ModelPreflight): void;
  confirmConsult(review: ConsultReview): void;
  /** True = taken. */
  handleKey(key: KeyPress): boolean;
  handlePaste(text: string): boolean;
}

/** What the controller needs of the terminal. */
export interface TerminalDoor {
  redraw(): void;
  suspend(): Promise<void>;
  /** Opens the text in the person's editor; undefined = leave it as it was. */
  editText(text: string): Promise<string | undefined>;
  copy(text: string): Promise<CopyReport>;
  /** Shows the text in the person's pager; where there is none, resolves with a file that holds it. */
  page(text: string): Promise<string | undefined>;
  leave(): void;
  /** Who gets the mouse from now on. */
  setMouse(mouse: 'on' | 'off'): void;
}

export interface Controller {
  /** Everything that the keyboard does begins here. */
  key(key: KeyPress): void;
  wheel(direction: 'up' | 'down'): void;
  promptEffect(effect: PromptEffect): void;
  /** Does what a slash command or a dialog wants done. */
  outcome(outcome: CommandOutcome): void;
  /** Does what an asynchronous command wants done; a failure becomes a notice. */
  run(command: Promise<CommandOutcome>): Promise<void>;
  /** Does what a key would do that is bound to it. */
  runAction(command: KeyCommand): void;
  /** Begins a prompt with this text; what was being written is put aside. */
  begin(text: string): void;
  /** What is sent until this resolves is for the thread that it opens. */
  hold(opening: Promise<void>): void;
  /** Sends what the person typed: a message, a `/command` or a `!command`. */
  send(text: string, delivery: 'steer' | 'queue'): void;
}

const leavingMs = 2_000;
const twiceMs = 600;
const wheelRows = 3;

export function createController(options: {
  port: ScreenPort;
  keymap: Keymap;
  clock: Clock;
  store: UiStore;
  screen: ScreenStore;
  follower: ThreadFollower;
  transcript: TranscriptActions;
  terminal: TerminalDoor;
  /** Late, since they know the controller. */
  prompt: () => PromptStore;
  dialogs: () => DialogDoor;
  setTheme: (id: string) => void;
  setKeys: (keys: KeyBindings) => void;
  chordTiming: () => ChordTiming;
  textOut: TextOut;
}): Controller {
  const { port, keymap, clock, store, screen, follower, transcript, terminal, textOut } = options;
  let cancelLeaving: (() => void) | undefined;
  let escapedAt = Number.NEGATIVE_INFINITY;

  const settleLeaving = () => {
    cancelLeaving?.();
    cancelLeaving = undefined;
    if (screen.get().isLeaving) screen.update({ isLeaving: false });
  };
  /** The second time within two seconds leaves. */
  const leaveOrArm = () => {
    if (screen.get().isLeaving) {
      terminal.leave();
      return;
    }
    screen.update({ isLeaving: true });
    cancelLeaving = clock.after(leavingMs, settleLeaving);
  };
  const interrupt = () => {
    if (isBusy(store.getThread())) follower.submit({ kind: 'interrupt' });
  };

  /** Twice at rest, with nothing typed, offers the way back. */
  const cancel = () => {
    if (isBusy(store.getThread())) {
      interrupt();
      return;
    }
    if (screen.get().panel) {
      screen.update({ panel: null });
      return;
    }
    const isSecond = clock.now() - escapedAt < twiceMs && options.prompt().text() === '';
    escapedAt = isSecond ? Number.NEGATIVE_INFINITY : clock.now();
    if (isSecond) options.dialogs().open('rewind');
    else transcript.toNewest();
  };

  const run = async (command: Promise<CommandOutcome>) => {
    try {
      outcome(await command);
    } catch (error) {
      store.addNotice({ level: 'error', text: errorText(error) });
    }
  };

  const outcome = (wanted: CommandOutcome): void => {
    switch (wanted.kind) {
      case 'none':
        return;
      case 'notice':
        store.addNotice({ level: wanted.level, text: wanted.text });
        transcript.toNewest();
        return;
      case 'action':
        follower.submit(wanted.action);
        return;
      case 'dialog':
        options.dialogs().open(wanted.dialog, wanted.filter);
        return;
      case 'preflight':
        options.dialogs().confirmModel(wanted.preflight);
        return;
      case 'consult-review':
        options.dialogs().confirmConsult(wanted.review);
        return;
      case 'attach':
        follower.attach(wanted.handle, wanted.notice);
        if (wanted.words !== undefined) transcript.openSearch(wanted.words);
        return;
      case 'draft':
        if (options.prompt().text() === '') options.prompt().setText(wanted.text);
        return;
      case 'copy':
        void textOut.copy(wanted);
        return;
      case 'page':
        void textOut.page(wanted.text);
        return;
      case 'search':
        transcript.openSearch(wanted.words);
        return;
      case 'theme':
        options.setTheme(wanted.theme);
        return;
      case 'mouse':
        terminal.setMouse(wanted.mouse);
        return;
      case 'editor-mode':
        options.prompt().setVim(wanted.mode === 'vim');
        return;
      case 'keys':
        options.setKeys(wanted.keys);
        if (wanted.notice) store.addNotice(wanted.notice);
        return;
      case 'exit':
        terminal.leave();
        return;
    }
  };

  const order = createSendOrder();
  const send = (text: string, delivery: 'steer' | 'queue') => {
    if (order.holds(() => send(text, delivery))) return;
    transcript.toNewest();
    port.history.add(text);
    if (isCommandLine(text)) {
      const done = run(port.runCommand(text));
      if (opensThread(text, port.commands)) order.open(done);
      return;
    }
    if (isMemoryLine(text)) {
      void run(port.runCommand(`/memory add ${text.slice(1).trim()}`));
      return;
    }
    const shell = /^!\s*(.*)$/s.exec(text)?.[1];
    follower.submit(
      shell === undefined
        ? { kind: 'prompt', text, images: [], delivery }
        : { kind: 'shell', command: shell },
    );
  };

  const promptEffect = (effect: PromptEffect) => {
    switch (effect.kind) {
      case 'send':
        send(effect.text, effect.delivery);
        return;
      case 'go-on':
        if (canGoOn(store.getThread())) follower.submit({ kind: 'continue' });
        return;
      case 'take-back': {
        const newest = store.getThread().pending.at(-1);
        if (!newest) return;
        follower.submit({ kind: 'take-back', pendingId: newest.id });
        options.prompt().setText(newest.text);
        return;
      }
      case 'help':
        options.dialogs().open('help');
        return;
      case 'copy':
        void textOut.copyQuietly(effect.text);
        return;
      case 'leave':
        leaveOrArm();
        return;
    }
  };

  /** In a draft a key that edits does so. */
  const isEditing = (pressed: KeyPress | undefined) =>
    pressed !== undefined &&
    options.prompt().text() !== '' &&
    commandFor(keymap, 'prompt', pressed) !== undefined;

  /** True when the command is one of the screen's own. `pressed`: the key that asked for it. */
  const screenCommand = (command: KeyCommand | undefined, pressed?: KeyPress): boolean => {
    if (command?.startsWith('/')) {
      void run(port.runCommand(command));
      return true;
    }
    switch (command) {
      case 'suspend':
        void terminal.suspend();
        return true;
      case 'redraw':
        terminal.redraw();
        return true;
      case 'cancel':
        cancel();
        return true;
      case 'clear-or-exit':
        if (!options.prompt().clear()) interrupt();
        leaveOrArm();
        return true;
      case 'cycle-mode':
        follower.submit({ kind: 'set-mode', mode: nextMode(store.getThread().mode) });
        return true;
      case 'expand':
        if (!options.prompt().unfold()) transcript.toggleExpand();
        return true;
      case 'find':
        if (isEditing(pressed)) return false;
        transcript.openSearch('');
        return true;
      case 'palette':
        if (isEditing(pressed)) return false;
        options.dialogs().open('palette');
        return true;
      case 'help':
        options.dialogs().open('help');
        return true;
      case 'toggle-todos':
        if (isEditing(pressed)) return false;
        screen.togglePanel('todos');
        return true;
      case 'toggle-tasks':
        screen.togglePanel('tasks');
        return true;
      case 'external-editor':
        void editOutside();
        return true;
      case 'choose-model':
        options.dialogs().open('model');
        return true;
      case 'background-run': {
        // With nothing that runs the key keeps its meaning in the prompt.
        const callId = runningCommand(store.getThread());
        if (callId !== undefined) follower.submit({ kind: 'background-run', callId });
        return callId !== undefined;
      }
      default:
        return transcriptCommand(transcript, command);
    }
  };

  const editOutside = async () => {
    const prompt = options.prompt();
    try {
      const edited = await terminal.editText(prompt.text());
      if (edited !== undefined) prompt.setText(edited);
    } catch (error) {
      store.addNotice({ level: 'error', text: `The editor could not be opened: ${errorText(error)}` });
    }
  };

  const key = (pressed: KeyPress) => {
    transcript.clearSelection();
    const command = commandFor(keymap, 'screen', pressed);
    // Anything but a second Ctrl+C (or Ctrl+D) is a change of mind.
    if (command !== 'clear-or-exit' && !(pressed.ctrl && pressed.name === 'd')) settleLeaving();
    const dialogs = options.dialogs();
    if (dialogs.isOpen()) chords.cancel();
    const chord = chords.next(pressed);
    if (chord?.kind === 'runs') runAction(chord.command);
    if (chord || screenCommand(commandFor(keymap, 'always', pressed), pressed)) return;
    // The prompt is out of sight below a dialog; only what was being typed when the dialog came up still goes there.
    const isPromptHidden = dialogs.isOpen() && dialogs.getSnapshot().isArmed;
    if (pressed.name === 'paste' ? dialogs.handlePaste(pressed.text) : dialogs.handleKey(pressed)) return;
    if (!isPromptHidden && transcript.searchKey(pressed, keymap)) return;
    const prompt = options.prompt();
    if (!isPromptHidden && prompt.handleOverlayKey(pressed)) return;
    if (!dialogs.isOpen() && !prompt.isCommanded() && chords.begin(pressed)) return;
    singleKey(pressed, { isPromptHidden });
  };

  const singleKey = (pressed: KeyPress, { isPromptHidden }: { isPromptHidden: boolean }) => {
    const prompt = options.prompt();
    const isForVim = !isPromptHidden && prompt.isEscaped(pressed);
    if (!isForVim && screenCommand(commandFor(keymap, 'screen', pressed), pressed)) return;
    const isReading = prompt.text() === '' && !transcript.isFollowing();
    if (isReading && transcriptCommand(transcript, commandFor(keymap, 'reading', pressed))) return;
    if (!isPromptHidden) prompt.handleKey(pressed);
  };

  const runAction = (command: KeyCommand) => {
    if (!screenCommand(command) && !options.prompt().run(command))
      store.addNotice({ level: 'info', text: 'There is nothing to do that with right now.' });
  };

  const chords = createChords({
    keymap,
    clock,
    timing: options.chordTiming,
    onHint: (chord) => screen.update({ chord }),
    onAlone: (pressed) => singleKey(pressed, { isPromptHidden: options.dialogs().isOpen() }),
  });

  return {
    key,
    wheel(direction) {
      const arrow: KeyPress = {
        name: direction,
        ctrl: false,
        alt: false,
        shift: true,
        text: '',
      };
      const dialogs = options.dialogs();
      if (dialogs.isOpen() && dialogs.handleKey(arrow)) {
        for (let more = 1; more < wheelRows; more += 1) dialogs.handleKey(arrow);
        return;
      }
      transcript.scroll(direction === 'up' ? -wheelRows : wheelRows);
    },
    promptEffect,
    outcome,
    run,
    runAction,
    hold: order.open,
    begin(text) {
      const prompt = options.prompt();
      if (prompt.text() !== '') prompt.run('stash');
      prompt.setText(text);
    },
    send,
  };
}
