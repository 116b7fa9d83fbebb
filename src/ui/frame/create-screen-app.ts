import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { repositoryFolder } from '#lib/find-program.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import { shownName } from '#lib/quote.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import { createDialogs } from '../dialogs/dialogs.ts';
import { createLiveKeys } from '../input/live-keys.ts';
import { createPromptStore } from '../prompt/prompt-store.ts';
import { isBusy } from '../status/activity.ts';
import { createUiStore } from '../store/ui-store.ts';
import { copyText } from '../terminal/clipboard/copy-text.ts';
import { cursorShape, hasCursorShapes, ownCursorShape } from '../terminal/cursor-shape.ts';
import type { InputTap } from '../terminal/input-tap.ts';
import { transcriptActions } from '../transcript/transcript.tsx';
import { createController } from './controller.ts';
import { createMouse } from './mouse.ts';
import { pageText } from './pager.ts';
import type { ScreenApp } from './screen-app.ts';
import { createScreenStore } from './screen-state.ts';
import { createTerminalControl, type InkControl } from './terminal-control.ts';
import { createTextOut } from './text-out.ts';
import { createThemeChoice } from './theme-choice.ts';
import { createThreadFollower } from './thread-follower.ts';

/** Starting git blocks for a while, so the first keys and the frame that shows the end of a turn come first. */
const branchDelayMs = 100;

/**
 * Makes everything that the screen is made of and joins it. `start` comes after the first frame; `redraw` does
 * nothing while somebody else has the terminal.
 */
export function createScreenApp(options: {
  port: ScreenPort;
  clock: Clock;
  env: Environment;
  tap: InputTap;
  write: (text: string) => void;
  redraw: () => void;
}): { app: ScreenApp; start(): void; redraw(): void; close(): void } {
  const { port, clock, env, tap, write } = options;
  const keys = createLiveKeys(port.keyBindings);
  const { keymap } = keys;
  const store = createUiStore({
    clock,
    thread: emptyThreadState({ threadId: port.handle.threadId, cwd: port.cwd, mode: port.startMode }),
  });
  const themes = createThemeChoice({
    themeId: port.themeId,
    loadText: (id) => port.loadTheme(id),
    env,
    clock,
    write,
    onReply: (listener) => tap.onEvent((event) => event.kind === 'reply' && listener(event.body)),
  });
  const screen = createScreenStore({ theme: themes.first(), themeId: port.themeId });
  const follower = createThreadFollower({ store, clock, first: port.handle });

  let shape = '';
  /** A bar where keys type, a block where they command. Put back when the screen is left. */
  const showCursorShape = () => {
    const wanted = cursorShape(prompt.getState().vim?.mode);
    if (wanted === shape || !hasCursorShapes(env)) return;
    shape = wanted;
    write(wanted || ownCursorShape);
  };
  let ink: Pick<InkControl, 'suspend' | 'leave' | 'fail'> | undefined;
  /** No program from here is the person's own. */
  const roots = () => [port.cwd, repositoryFolder(port.cwd)];
  const terminal = createTerminalControl({
    ink: () => ink && { ...ink, redraw: options.redraw },
    write,
    clock,
    editorCommand: port.editorCommand,
    process,
    mouse: port.mouse ?? 'on',
    tap,
    copy: (text) => copyText(text, { env, roots: roots(), platform: process.platform, clock, write }),
    page: (text) => pageText(text, { pagerCommand: port.pagerCommand ?? [], env, roots: roots() }),
    onReturn: () => {
      shape = '';
      showCursorShape();
    },
  });
  const setTheme = (id: string) => {
    try {
      const theme = themes.find(id);
      if (theme) screen.update({ theme, themeId: id });
      else store.addNotice({ level: 'error', text: `There is no theme named ${shownName(id)}.` });
    } catch (error) {
      store.addNotice({ level: 'error', text: errorText(error) });
    }
  };

  const followPushed = async () => {
    for await (const outcome of port.pushed ?? []) controller.outcome(outcome);
  };

  const transcript = transcriptActions(store);
  const textOut = createTextOut({ terminal, store, transcript, screen, clock });
  const mouse = createMouse({ transcript, clock, copy: (text) => void textOut.copySelection(text) });
  const controller = createController({
    port,
    keymap,
    clock,
    store,
    screen,
    follower,
    transcript,
    textOut,
    terminal,
    prompt: () => prompt,
    dialogs: () => dialogs,
    setTheme,
    setKeys: keys.replace,
    chordTiming: keys.timing,
  });
  const prompt = createPromptStore({
    keymap,
    commands: port.commands,
    clock,
    isVim: port.editorMode === 'vim',
    files: (signal) => port.files(signal),
    scene: () => {
      const thread = store.getThread();
      return { isRunning: isBusy(thread), hasPending: thread.pending.length > 0 };
    },
    onEffect: (effect) => controller.promptEffect(effect),
  });
  const dialogs = createDialogs({
    port,
    store,
    submit: (action) => follower.submit(action),
    act: (outcome) => controller.outcome(outcome),
    hold: (opening) => controller.hold(opening),
    run: (command) => controller.runAction(command),
    begin: (text) => controller.begin(text),
    clock,
    keymap,
    themeId: () => screen.get().themeId,
  });

  const showBranch = async () => {
    try {
      const branch = await port.branch();
      const changed = branch && branch.changed > 0 ? ` ±${branch.changed}` : '';
      screen.update({ branch: branch ? `${cleanName(branch.name)}${changed}` : '' });
    } catch (error) {
      log('the branch could not be read', error);
    }
  };
  const showSandbox = async () => {
    try {
      screen.update({ isSandboxed: (await port.isSandboxed?.()) ?? false });
    } catch (error) {
      log('whether there is a sandbox is not known', error);
    }
  };
  const loadHistory = async () => {
    try {
      prompt.addHistory(await port.history.load());
    } catch (error) {
      log('the prompt history could not be read', error);
    }
  };
  const needsModel = async () => {
    try {
      return await port.needsModel;
    } catch (error) {
      store.addNotice({ level: 'error', text: errorText(error) });
      return false;
    }
  };
  /** A prompt from the command line waits in the prompt when a model has to be chosen first. */
  const beginSession = async () => {
    const { firstPrompt } = port;
    if (await needsModel()) {
      if (firstPrompt) prompt.setText(firstPrompt);
      dialogs.open('first-run');
    } else if (firstPrompt) {
      controller.send(firstPrompt, 'steer');
    }
  };
  const stops: (() => void)[] = [];
  let cancelBranch = (): void => undefined;
  const showBranchSoon = () => {
    cancelBranch();
    cancelBranch = clock.after(branchDelayMs, () => {
      supervise(showBranch());
      supervise(showSandbox());
    });
  };
  const supervise = (work: Promise<void>) => void work.catch((error: unknown) => ink?.fail(error));

  return {
    app: {
      port,
      clock,
      store,
      screen,
      prompt,
      dialogs,
      controller,
      connectInk(connected) {
        ink = connected;
      },
      fail: (error) => ink?.fail(error),
    },
    start() {
      terminal.enter();
      showCursorShape();
      supervise(beginSession());
      supervise(loadHistory());
      supervise(followPushed());
      supervise(themes.askTerminal((theme) => screen.get().themeId === 'auto' && screen.update({ theme })));
      showBranchSoon();
      stops.push(
        terminal.watchSignals(),
        tap.onEvent((event) => {
          if (event.kind === 'wheel') controller.wheel(event.direction);
          if (event.kind === 'mouse' || event.kind === 'drag') mouse.on(event);
        }),
        mouse.close,
        onRepositoryNews(store, showBranchSoon),
        () => cancelBranch(),
        prompt.subscribe(showCursorShape),
      );
    },
    redraw: () => terminal.redraw(),
    close() {
      terminal.giveBack();
      for (const stop of stops) stop();
      follower.close();
      prompt.close();
      store.close();
    },
  };
}

/** What a turn changed shows when it is over; another thread may work in another repository. */
function onRepositoryNews(store: ReturnType<typeof createUiStore>, callback: () => void): () => void {
  let { turnId, threadId } = store.getThread();
  return store.subscribe(() => {
    const now = store.getThread();
    const hasEnded = turnId !== null && now.turnId === null;
    if (hasEnded || now.threadId !== threadId) callback();
    ({ turnId, threadId } = now);
  });
}
