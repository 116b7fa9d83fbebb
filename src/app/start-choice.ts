import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import type { SessionFlags } from './cli/flags.ts';
import type { Composition } from './compose.ts';
import { demoModelRef } from './demo/model.ts';
import { findStartModel } from './start-model.ts';
import type { StartThread } from './start-thread.ts';

export type StartChoice = {
  /** null: the thread's own, or none when `found` is there. */
  model: ModelRef | null;
  isModelAsked: boolean;
  /** Nobody named a model and there is not exactly one: what could be used. */
  found?: readonly ModelChoice[];
  notice?: string;
};

/** The model for the thread that is about to be opened. Throws when the one that was named is not known. */
export async function chooseStartModel(
  { settings, catalogue, home, vcr }: Composition,
  { flags, thread, signal }: { flags: SessionFlags; thread: StartThread; signal: AbortSignal },
): Promise<StartChoice> {
  // A replay opens its thread with the model of then.
  if (vcr.replayed) return { model: null, isModelAsked: false };
  if (flags.demo) return { model: demoModelRef, isModelAsked: true };
  // A thread that goes on keeps its own model unless another one is asked for.
  if (thread.model !== null && flags.model === undefined) return { model: null, isModelAsked: false };
  const start = await findStartModel({ settings, catalogue, home, signal });
  const notice = start.notice === undefined ? {} : { notice: start.notice };
  return start.kind === 'model'
    ? { model: start.model, isModelAsked: flags.model !== undefined, ...notice }
    : { model: null, isModelAsked: false, found: start.found, ...notice };
}
