import type { RunSpending } from '#engine/context/run-spending.ts';
import type { HookJudge } from '#hooks/ask-model.ts';
import type { Clock } from '#lib/clock.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ModelCatalogue } from '#providers/directory.ts';
import { askOnce } from './ask-once.ts';

/**
 * The model that answers hooks of type `prompt`: the one that the hook names, else that of `model_routing.sub_agent`,
 * else the thread's own. What it costs counts for the budgets of the run and the day.
 */
export function createHookJudge({
  catalogue,
  ...about
}: {
  catalogue: () => ModelCatalogue;
  home: string;
  clock: Clock;
  spending: RunSpending;
}): HookJudge {
  return async ({ system, text, model, own }, { signal }) => {
    const ref = await chosen(catalogue(), { model, own, signal });
    return askOnce({ catalogue: catalogue(), ...about }, { ref, system, text, purpose: 'hook', signal });
  };
}

async function chosen(
  catalogue: ModelCatalogue,
  { model, own, signal }: { model: string | undefined; own: ModelRef | undefined; signal: AbortSignal },
): Promise<ModelRef> {
  if (model !== undefined) return catalogue.resolve(model, signal);
  const [routed] = await catalogue.route('sub_agent');
  const ref = routed ?? own;
  if (ref) return ref;
  throw new Error('no model is chosen; give the hook one with "model"');
}
