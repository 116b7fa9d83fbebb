import { DaySpending } from '#engine/context/day-spending.ts';
import { hooksOf } from '#hooks/hooks-of.ts';
import { childEnvironment } from '#lib/child-env.ts';
import { systemClock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';
import type { CommandContext } from '../commands/define-command.ts';
import { commands } from '../commands/index.ts';
import { mayUseFullAccess } from '../full-access.ts';
import { createMemoryCommands } from '../memory/memory-desk.ts';
import { createPermissionCommands } from '../permissions/permission-commands.ts';
import { sandboxText } from '../sandbox-text.ts';
import { changeSetting } from '../settings/change-setting.ts';
import { rowsOf } from '../settings/explain-settings.ts';
import { isRecord } from '../settings/settings-object.ts';
import { trustProject } from '../settings/trust.ts';
import { askTitle } from '../threads/ask-title.ts';
import { createConsultCommands } from './consult-commands.ts';
import { gitDiff } from './git-facts.ts';
import { hidaReport } from './hida-report.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { preflight } from './preflight.ts';
import { saveExport } from './save-export.ts';
import { saveEditorMode, saveMouse, saveTheme } from './save-theme.ts';
import { saveTranscript, transcriptText } from './save-transcript.ts';
import { chooseModel, forkThread, newThread, openOtherThread } from './session-actions.ts';
import { threadDiff } from './thread-diff.ts';

/** The session as slash commands see it. */
export function createCommandContext(session: InteractiveSession): CommandContext {
  const { host, home } = session;
  return {
    commands,
    get themeIds() {
      return ['auto', ...session.themes.ids()];
    },
    saveTheme: (id) => saveTheme(session, id),
    editorMode: async () => (await session.composition()).settings.values.editor_mode,
    keyFiles: session.keyFiles,
    saveEditorMode: (mode) => saveEditorMode(session, mode),
    mouse: async () => (await session.composition()).settings.values.mouse,
    saveMouse: (mouse) => saveMouse(session, mouse),
    get cwd() {
      return session.cwd;
    },
    state: () => session.state(),
    resolveModel: async (text) => (await session.composition()).catalogue.resolve(text, session.signal),
    preflight: (model) => preflight(session, model),
    chooseModel: (model) => chooseModel(session, model),
    modelInfo: async (model) => (await session.composition()).catalogue.info(model),
    newThread: () => newThread(session),
    openThread: (text) => openOtherThread(session, text),
    forkThread: (upTo) => forkThread(session, upTo),
    saveExport: (options) => saveExport(session, options),
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
      if (changed.includes('mouse')) {
        const { settings } = await session.composition();
        session.push({ kind: 'mouse', mouse: settings.values.mouse });
      }
      if (changed.includes('editor_mode')) {
        const { settings } = await session.composition();
        session.push({ kind: 'editor-mode', mode: settings.values.editor_mode });
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
    async hooks() {
      const { settings, hookRuns } = await session.composition();
      return { hooks: hooksOf(settings.hooks), runs: hookRuns.list() };
    },
    async confirmFullAccess(options) {
      return mayUseFullAccess(home, options);
    },
    transcript: async () => transcriptText(await session.state()),
    saveTranscript: async (file) =>
      saveTranscript(file, { text: transcriptText(await session.state()), cwd: session.cwd }),
    spentToday: () => new DaySpending({ home, clock: systemClock }).today(),
    async startRecording(file) {
      const { vcr, catalogue } = await session.composition();
      const said = await vcr.startRecording(file);
      // What a server says of the model is asked again, so that a replay finds it.
      const { model } = await session.state();
      if (model) await catalogue.info(model).catch((error: unknown) => log('not asked again:', error));
      return said;
    },
    stopRecording: async () => (await session.composition()).vcr.stopRecording(),
    recordingStatus: async () => (await session.composition()).vcr.status(),
    async setSandbox(mode) {
      const { layers } = (await session.composition()).settings;
      const written = layers.find(({ kind }) => kind === 'user')?.file?.value['sandbox'];
      // The mode alone is short for all the parts; a file that has the parts keeps the others.
      return this.setSetting(isRecord(written) ? 'sandbox.mode' : 'sandbox', mode);
    },
    sandbox: async () => sandboxText(await session.composition(), host.env),
    async askTitle() {
      const [state, composition] = await Promise.all([session.state(), session.composition()]);
      return askTitle(composition, state, { clock: systemClock, signal: session.signal });
    },
    hida: () => hidaReport(session),
    async doctor() {
      const { doctorText } = await import('../doctor/doctor-text.ts');
      return doctorText(host, session.cwd);
    },
    consult: createConsultCommands(session),
    permissions: createPermissionCommands({
      desk: () => session.composition(),
      mode: async () => (await session.state()).mode,
    }),
    memory: createMemoryCommands({
      parts: () => session.composition(),
      threadId: () => session.handle.threadId,
      notes: async () => (await session.state()).notes ?? '',
      now: () => systemClock.now(),
    }),
    threadDiff: async (prompts) => threadDiff(await session.state(), { home, prompts }),
    async workingDiff() {
      return gitDiff(session.cwd, { env: childEnvironment(host.env) });
    },
  };
}
