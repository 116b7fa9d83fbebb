// The heavy part of a session, one chunk of the bundle: loaded once the first frame is drawn.
import { previewThread } from '#engine/thread/preview.ts';
import { childEnvironment } from '#lib/child-env.ts';
import type { PermissionOverview } from '#protocol/permission-overview.ts';
import type { RewindPreview } from '#protocol/rewind.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { ThreadPreview } from '#protocol/thread-entry.ts';
import { listModelsOf } from '#providers/list-models.ts';
import { runCommandLine } from '../commands/index.ts';
import { explainSettings } from '../settings/explain-settings.ts';
import { createThreadLists, type ThreadLists } from '../threads/thread-lists.ts';
import { createCommandContext } from './command-context.ts';
import { withCommandHooks } from './command-hooks.ts';
import { gitBranch } from './git-facts.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { markFavourite, modelMarks } from './model-marks.ts';
import { preflight } from './preflight.ts';
import { providerSetting } from './provider-setting.ts';
import { rewindPreview } from './rewind-preview.ts';
import { saveTheme } from './save-theme.ts';
import { addProvider, chooseModel, openOtherThread, startDemo } from './session-actions.ts';
import { workspaceFiles } from './workspace-files.ts';

export { findLog } from '#engine/thread/store.ts';
export { openFirstThread } from './open-first-thread.ts';

/** Everything that the screen asks for after its first frame. */
export type SessionWork = {
  isSandboxed(): Promise<boolean>;
  permissions(): Promise<PermissionOverview>;
  rewindPreview(promptId: string): Promise<RewindPreview>;
  searchThreads: ThreadLists['search'];
  threadPreview(threadId: string): Promise<ThreadPreview>;
} & Pick<
  ScreenPort,
  | 'runCommand'
  | 'modelChoices'
  | 'modelMarks'
  | 'markFavourite'
  | 'preflight'
  | 'chooseModel'
  | 'providerModels'
  | 'addProvider'
  | 'startDemo'
  | 'threads'
  | 'openThread'
  | 'saveTheme'
  | 'files'
  | 'branch'
  | 'settings'
>;

export function createSessionWork(session: InteractiveSession): SessionWork {
  const { host, home } = session;
  const context = createCommandContext(session);
  const lists = createThreadLists({ home, cwd: () => session.cwd, signal: session.signal });
  return {
    runCommand: (line) => withCommandHooks(session, line, () => runCommandLine(line, context)),
    async *modelChoices(signal, onSilent) {
      const { catalogue } = await session.composition();
      yield* catalogue.choices(signal, onSilent);
    },
    modelMarks: async () => modelMarks(home),
    markFavourite: (ref, options) => markFavourite(home, ref, options),
    preflight: (ref) => preflight(session, ref),
    chooseModel: (model, options) => chooseModel(session, model, options),
    providerModels: (draft, signal) => listModelsOf(providerSetting(draft), { env: host.env, signal }),
    addProvider: (draft) => addProvider(session, draft),
    startDemo: () => startDemo(session),
    threads: (options) => lists.threads(options),
    searchThreads: (words, options) => lists.search(words, options),
    threadPreview: (threadId) => previewThread(home, threadId),
    openThread: (threadId, words) => openOtherThread(session, threadId, words),
    saveTheme: (id) => saveTheme(session, id),
    files: (signal) => workspaceFiles(session.cwd, { env: childEnvironment(host.env), signal }),
    async isSandboxed() {
      const { sandbox } = await session.composition();
      await sandbox.program();
      return sandbox.isOn();
    },
    branch: () => gitBranch(session.cwd, { env: childEnvironment(host.env) }),
    permissions: () => context.permissions.overview(),
    rewindPreview: async (promptId) => rewindPreview(await context.state(), { home, promptId }),
    async settings() {
      const rows = explainSettings((await session.composition()).settings);
      return rows.map(({ key, value, origin }) => ({ key, value: JSON.stringify(value) ?? '', origin }));
    },
  };
}
