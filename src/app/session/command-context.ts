import { childEnvironment } from '#lib/child-env.ts';
import type { CommandContext } from '../commands/define-command.ts';
import { commands } from '../commands/index.ts';
import { mayUseFullAccess } from '../full-access.ts';
import { changeSetting } from '../settings/change-setting.ts';
import { rowsOf } from '../settings/explain-settings.ts';
import { trustProject } from '../settings/trust.ts';
import { gitDiff } from './git-facts.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { saveTheme } from './save-theme.ts';
import { chooseModel, forkThread, newThread, openOtherThread } from './session-actions.ts';

/** The session as slash commands see it. */
export function createCommandContext(
  session: InteractiveSession,
  { themeIds }: { themeIds: readonly string[] },
): CommandContext {
  const { host, home } = session;
  return {
    commands,
    themeIds,
    saveTheme: (id) => saveTheme(session, id),
    get cwd() {
      return session.cwd;
    },
    state: () => session.state(),
    resolveModel: async (text) => (await session.composition()).catalogue.resolve(text, session.signal),
    chooseModel: (model) => chooseModel(session, model),
    newThread: () => newThread(session),
    openThread: (text) => openOtherThread(session, text),
    forkThread: () => forkThread(session),
    async getSetting(key) {
      const rows = rowsOf((await session.composition()).settings, key);
      return rows
        .map((row) => `- \`${row.key}\` = \`${JSON.stringify(row.value)}\` (${row.origin})`)
        .join('\n');
    },
    async setSetting(key, text) {
      const options = {
        home,
        cwd: session.cwd,
        env: host.env,
        key,
        text,
        isUnset: false,
        scope: 'user',
      } as const;
      const { message } = await changeSetting(options);
      const changed = await (await session.composition()).reload();
      if (changed.includes('theme')) {
        const { settings } = await session.composition();
        session.push({ kind: 'theme', theme: settings.values.theme });
      }
      return message;
    },
    async trustProject() {
      const composition = await session.composition();
      const { project } = composition.settings;
      const trust = await trustProject(home, project);
      if (trust.state === 'nothing') return `${project} brings no configuration; there is nothing to trust.`;
      const changed = await composition.reload();
      const effect =
        changed.length > 0
          ? `In effect now: ${changed.join(', ')}.`
          : 'It changes no setting of this session.';
      return `Trusted as it is now: ${trust.files.join(', ')}. A change asks again. ${effect}`;
    },
    async confirmFullAccess(options) {
      return mayUseFullAccess(home, options);
    },
    async workingDiff() {
      return gitDiff(session.cwd, { env: childEnvironment(host.env) });
    },
  };
}
