import { childEnvironment } from '#lib/child-env.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { llmcodeHome } from '#lib/paths.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { type Composition, compose } from '../compose.ts';
import { workingFolder } from '../cwd.ts';
import { humanPace } from '../demo/model.ts';
import { createScratchProject } from '../demo/scratch-project.ts';
import type { Host } from '../host.ts';
import { chooseStartModel, type StartChoice } from '../start-choice.ts';
import { findStartThread, type StartThread } from '../start-thread.ts';
import type { Notice } from './screen-handle.ts';

export type FirstThread = {
  handle: EngineHandle;
  composition: Composition;
  needsModel: boolean;
  notices: Notice[];
};

/** Opens what the command line asked for. Throws an `LlmcodeError` when that is not possible. */
export async function openFirstThread(
  host: Host,
  { flags, signal }: { flags: SessionFlags; signal: AbortSignal },
): Promise<FirstThread> {
  const notices: Notice[] = [];
  const thread = await startThread(host, { flags, notices });
  const cwd = flags.demo ? await createScratchProject(childEnvironment(host.env)) : thread.cwd;
  const composition = await compose({ host, cwd, flags, demoPace: humanPace });
  notices.push(...composition.notices.map((text): Notice => ({ level: 'warning', text })));
  notices.push(...composition.vcr.notices().map((text): Notice => ({ level: 'info', text })));
  if (flags.demo) notices.push({ level: 'info', text: demoNotice(cwd) });
  const choice = await modelFor(composition, { flags, thread, signal, notices });
  const handle = await composition.openThread({
    origin: thread.origin,
    model: choice.model,
    isModelAsked: choice.isModelAsked,
    mode: null,
    canAsk: true,
  });
  return { handle, composition, needsModel: choice.found !== undefined, notices };
}

export function demoNotice(folder: string): string {
  return `This is the offline demo: a script answers, no model. The tools are real and work on a scratch copy in ${folder}. Try: fix the failing test`;
}

/** A picker is opened for `--resume` without a thread; until something is picked there is a new one. */
async function startThread(
  host: Host,
  { flags, notices }: { flags: SessionFlags; notices: Notice[] },
): Promise<StartThread> {
  const { resume, ...rest } = flags;
  const wanted = resume === undefined || resume === true ? rest : { ...rest, resume };
  try {
    return await findStartThread({ home: llmcodeHome(host.env), host }, wanted);
  } catch (error) {
    if (!flags.continue || !LlmcodeError.isInstance(error) || error.code !== 'thread-not-found') throw error;
    notices.push({
      level: 'info',
      text: 'There is no thread to continue in this folder; this is a new one.',
    });
    return { origin: { kind: 'new' }, cwd: workingFolder(host, flags.cwd), model: null };
  }
}

/** A model that is not known is no reason to stop: the person chooses another one on the screen. */
async function modelFor(
  composition: Composition,
  { notices, ...start }: { flags: SessionFlags; thread: StartThread; signal: AbortSignal; notices: Notice[] },
): Promise<StartChoice> {
  try {
    const choice = await chooseStartModel(composition, start);
    if (choice.notice !== undefined) notices.push({ level: 'info', text: choice.notice });
    return choice;
  } catch (error) {
    if (!LlmcodeError.isInstance(error)) throw error;
    notices.push({ level: 'error', text: errorText(error) });
    return { model: null, isModelAsked: false, found: [] };
  }
}
