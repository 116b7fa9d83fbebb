import { childEnvironment } from '#lib/child-env.ts';
import type { Environment } from '#lib/paths.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import { commands, runCommandLine } from '../commands/index.ts';
import { folderLabel } from '../cwd.ts';
import { createThemeFiles, packageVersion } from '../package-files.ts';
import { createCommandContext } from './command-context.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { createPromptHistory } from './prompt-history.ts';
import { saveTheme } from './save-theme.ts';
import { addProvider, chooseModel, openOtherThread, previewProvider, startDemo } from './session-actions.ts';

/** The session as the screen sees it. */
export function createSessionPort(
  session: InteractiveSession,
  { theme, mode }: { theme: string; mode: PermissionMode },
): ScreenPort {
  const { host, home, flags } = session;
  const themes = createThemeFiles(home);
  const themeIds = ['auto', ...themes.ids];
  const save = (id: string) => saveTheme(session, id);
  const context = createCommandContext(session, { themeIds, saveTheme: save });
  const env = () => childEnvironment(host.env);

  return {
    version: packageVersion(),
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
    history: createPromptHistory(home),
    firstPrompt: flags.resume === true ? '/resume' : flags.prompt,
    themeId: theme,
    loadTheme: (id) => themes.load(id),
    themeIds,
    pushed: session.pushed,
    runCommand: (line) => runCommandLine(line, context),
    async *modelChoices(signal) {
      const { catalogue } = await session.composition();
      yield* catalogue.choices(signal);
    },
    chooseModel: (model) => chooseModel(session, model),
    addProvider: (draft) => addProvider(session, draft),
    previewProvider: (draft) => previewProvider(session, draft),
    startDemo: () => startDemo(session),
    async threads() {
      const { listThreads } = await import('#engine/thread/store.ts');
      return listThreads(home, { cwd: session.cwd });
    },
    openThread: (threadId) => openOtherThread(session, threadId),
    saveTheme: save,
    async files(signal) {
      const { workspaceFiles } = await import('./workspace-files.ts');
      return workspaceFiles(session.cwd, { env: env(), signal });
    },
    async branch() {
      const { gitBranch } = await import('./git-facts.ts');
      return gitBranch(session.cwd, { env: env() });
    },
    async settings() {
      const { explainSettings } = await import('../settings/explain-settings.ts');
      const rows = explainSettings((await session.composition()).settings);
      return rows.map(({ key, value, origin }) => ({ key, value: JSON.stringify(value) ?? '', origin }));
    },
    editorCommand: editorCommand(host.env),
  };
}

/** `code --wait` and the like come as one text with arguments. */
function editorCommand(env: Environment): string[] {
  const text = env['VISUAL'] || env['EDITOR'] || 'vi';
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
