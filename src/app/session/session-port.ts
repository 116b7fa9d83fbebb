import type { Environment } from '#lib/paths.ts';
import type { EditorMode, MouseUse } from '#protocol/command.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import { commands } from '../commands/index.ts';
import { folderLabel } from '../cwd.ts';
import { packageVersion } from '../package-files.ts';
import { projectRoot } from '../settings/project-root.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { loadSessionWork } from './load-in-steps.ts';
import { createPromptHistory } from './prompt-history.ts';
import { previewProvider } from './provider-setting.ts';
import type { SessionWork } from './session-work.ts';

/** The session as the screen sees it. What only comes after the first frame is loaded when it is asked for. */
export function createSessionPort(
  session: InteractiveSession,
  {
    theme,
    mode,
    editorMode,
    mouse,
  }: { theme: string; mode: PermissionMode; editorMode?: EditorMode; mouse?: MouseUse },
): ScreenPort {
  const { host, home, flags, themes } = session;
  let loading: Promise<SessionWork> | undefined;
  const work = (): Promise<SessionWork> => {
    loading ??= loadSessionWork().then(({ createSessionWork }) => createSessionWork(session));
    return loading;
  };

  return {
    version: packageVersion(),
    startCommand: startCommand(host.env),
    get cwd() {
      return session.cwd;
    },
    get cwdLabel() {
      return folderLabel(session.cwd);
    },
    startMode: mode,
    handle: session.handle,
    get needsModel() {
      return session.needsModel;
    },
    commands,
    history: createPromptHistory(home, { project: () => projectRoot(session.cwd) }),
    firstPrompt: flags.resume === true ? '/resume' : flags.prompt,
    editorMode: editorMode ?? 'emacs',
    mouse: mouse ?? 'on',
    keyBindings: session.keyFiles.current(),
    themeId: theme,
    loadTheme: (id) => themes.load(id),
    get themeIds() {
      return ['auto', ...themes.ids()];
    },
    pushed: session.pushed,
    runCommand: async (line) => (await work()).runCommand(line),
    async *modelChoices(signal, onSilent) {
      yield* (await work()).modelChoices(signal, onSilent);
    },
    modelMarks: async () => (await work()).modelMarks(),
    markFavourite: async (ref, options) => (await work()).markFavourite(ref, options),
    preflight: async (ref) => (await work()).preflight(ref),
    chooseModel: async (model, options) => (await work()).chooseModel(model, options),
    providerModels: async (draft, signal) => (await work()).providerModels(draft, signal),
    addProvider: async (draft) => (await work()).addProvider(draft),
    previewProvider: (draft) => previewProvider(session, draft),
    startDemo: async () => (await work()).startDemo(),
    threads: async (options) => (await work()).threads(options),
    searchThreads: async (words, options) => (await work()).searchThreads(words, options),
    threadPreview: async (threadId) => (await work()).threadPreview(threadId),
    openThread: async (threadId, words) => (await work()).openThread(threadId, words),
    saveTheme: async (id) => (await work()).saveTheme(id),
    files: async (signal) => (await work()).files(signal),
    isSandboxed: async () => (await work()).isSandboxed(),
    branch: async () => (await work()).branch(),
    settings: async () => (await work()).settings(),
    permissions: async () => (await work()).permissions(),
    rewindPreview: async (promptId) => (await work()).rewindPreview(promptId),
    editorCommand: commandWords(host.env['VISUAL'] || host.env['EDITOR'] || 'vi'),
    pagerCommand: commandWords(host.env['PAGER'] ?? ''),
  };
}

/** `code --wait` and the like come as one text with arguments. */
function commandWords(text: string): string[] {
  const words = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

/** From a clone there is no `llmcode` on the path yet, and npm hands on only what follows `--`. */
function startCommand(env: Environment): string {
  return env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'llmcode';
}
