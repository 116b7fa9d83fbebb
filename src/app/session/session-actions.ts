import type { CopyPoint } from '#engine/thread/cut-events.ts';
import { findThread } from '#engine/thread/store.ts';
import { childEnvironment } from '#lib/child-env.ts';
import { errorText } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ProviderDraft } from '#protocol/screen-port.ts';
import { type Composition, compose } from '../compose.ts';
import { existingFolder } from '../cwd.ts';
import { demoModelRef, humanPace } from '../demo/model.ts';
import { createScratchProject } from '../demo/scratch-project.ts';
import { remember } from '../settings/choices.ts';
import { configPaths } from '../settings/config-paths.ts';
import { writeSetting } from '../settings/write-setting.ts';
import { refuseConsult } from '../start-thread.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { rememberUse } from './model-marks.ts';
import { demoNotice } from './open-first-thread.ts';
import { providerSetting } from './provider-setting.ts';

/** A new thread in the same folder, with the model and mode of the present one. */
export async function newThread(session: InteractiveSession): Promise<CommandOutcome> {
  const composition = await session.composition();
  const { model, mode } = await session.state();
  const open = async () => ({
    composition,
    handle: await composition.openThread({
      origin: { kind: 'new' },
      afterClear: true,
      model,
      isModelAsked: true,
      mode,
      canAsk: true,
    }),
  });
  return session.replace(open, 'clear');
}

/** Goes on with another thread, in the folder that it worked in, and looks for the words in it. */
export async function openOtherThread(
  session: InteractiveSession,
  text: string,
  words?: string,
): Promise<CommandOutcome> {
  const thread = await findThread(session.home, text, { cwd: session.cwd });
  refuseConsult(thread);
  if (thread.threadId === session.handle.threadId)
    return words === undefined
      ? { kind: 'notice', level: 'info', text: 'This is that thread.' }
      : { kind: 'search', words };
  const composition = await compositionFor(session, thread.cwd);
  const outcome = await session.replace(async () => ({
    composition,
    handle: await composition.openThread({
      origin: { kind: 'resume', threadId: thread.threadId },
      model: await presentModel(session),
      isModelAsked: false,
      mode: null,
      canAsk: true,
    }),
  }));
  return outcome.kind === 'attach' && words !== undefined ? { ...outcome, words } : outcome;
}

/** Goes on in a copy of the present thread, or of its beginning; the original stays as it is. */
export async function forkThread(session: InteractiveSession, upTo?: CopyPoint): Promise<CommandOutcome> {
  const composition = await session.composition();
  const { threadId, messages } = await session.state();
  if (session.flags.session === false)
    return {
      kind: 'notice',
      level: 'warning',
      text: 'This session is not kept on disk, so there is nothing to copy.',
    };
  if (!messages.some((message) => message.role !== 'notice'))
    return { kind: 'notice', level: 'info', text: 'There is nothing to copy yet.' };
  return session.replace(async () => ({
    composition,
    handle: await composition.openThread({
      origin: { kind: 'fork', threadId, ...(upTo ? { upTo } : {}) },
      model: null,
      isModelAsked: false,
      mode: null,
      canAsk: true,
    }),
    notice: `This is a copy. The original stays as it was: /resume ${threadId}`,
  }));
}

export async function startDemo(session: InteractiveSession): Promise<CommandOutcome> {
  const folder = await createScratchProject(childEnvironment(session.host.env));
  const { prompt: _prompt, ...flags } = session.flags;
  const composition = await compose({ host: session.host, cwd: folder, flags, demoPace: humanPace });
  return session.replace(async () => ({
    composition,
    handle: await composition.openThread({
      origin: { kind: 'new' },
      model: demoModelRef,
      isModelAsked: true,
      // The demo is there to show the permission dialog.
      mode: 'prompt',
      canAsk: true,
    }),
    notice: demoNotice(folder),
  }));
}

/** Switches the thread; with no model in the settings the choice is also the one for the next start. */
export async function chooseModel(
  session: InteractiveSession,
  model: ModelRef,
  { compactFirst }: { compactFirst: boolean } = { compactFirst: false },
): Promise<CommandOutcome> {
  const { settings } = await session.composition();
  if (model.provider !== demoModelRef.provider) {
    try {
      await rememberUse(session.home, model);
      // A model from the settings, a variable or a flag stays what a session starts with.
      if (!settings.values.model) await remember(session.home, 'model', formatModelRef(model));
    } catch (error) {
      session.notify({ level: 'warning', text: `The choice is not remembered: ${errorText(error)}` });
    }
  }
  const action = { kind: 'switch-model', model, ...(compactFirst ? { compactFirst } : {}) } as const;
  return { kind: 'action', action };
}

export async function addProvider(
  session: InteractiveSession,
  draft: ProviderDraft,
): Promise<CommandOutcome> {
  const composition = await session.composition();
  const file = configPaths(session.home, session.cwd).user;
  await writeSetting(file, ['providers', draft.id], providerSetting(draft), { isPrivate: true });
  await composition.reload();
  const model = { provider: draft.id, model: draft.model };
  const keyNote =
    draft.apiKeyEnv !== '' && !session.host.env[draft.apiKeyEnv]
      ? ` ${draft.apiKeyEnv} is not set here: set it and start again before you use it.`
      : '';
  session.notify({
    level: keyNote === '' ? 'info' : 'warning',
    text: `Added ${draft.id} to ${file}.${keyNote}`,
  });
  return chooseModel(session, model);
}

async function compositionFor(session: InteractiveSession, cwd: string): Promise<Composition> {
  const present = await session.composition();
  if (realPathOf(cwd) === present.cwd) return present;
  return compose({
    host: session.host,
    cwd: existingFolder(cwd),
    flags: session.flags,
    demoPace: humanPace,
    vcr: present.vcr,
    spending: present.spending,
  });
}

/** For a thread that has no model of its own. */
async function presentModel(session: InteractiveSession): Promise<ModelRef | null> {
  return (await session.state()).model;
}
