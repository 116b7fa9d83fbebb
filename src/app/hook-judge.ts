import { DaySpending } from '#engine/context/day-spending.ts';
import type { RunSpending } from '#engine/context/run-spending.ts';
import type { HookJudge } from '#hooks/ask-model.ts';
import type { Clock } from '#lib/clock.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ModelCatalogue } from '#providers/directory.ts';

/**
 * The model that answers hooks of type `prompt`: the one that the hook names, else that of `model_routing.sub_agent`,
 * else the thread's own. What it costs counts for the budgets of the run and the day.
 */
export function createHookJudge({
  catalogue,
  home,
  clock,
  spending: run,
}: {
  catalogue: () => ModelCatalogue;
  home: string;
  clock: Clock;
  spending: RunSpending;
}): HookJudge {
  return async ({ system, text, model, own }, { signal }) => {
    const ref = await chosen(catalogue(), { model, own, signal });
    const client = await catalogue().open(ref);
    const message = {
      id: 'question',
      role: 'user' as const,
      origin: 'engine' as const,
      parts: [{ id: 'text', kind: 'text' as const, text }],
      createdAt: clock.now(),
    };
    let answer = '';
    const request = { system: [system], messages: [message], tools: [], threadId: 'hook' };
    for await (const part of client.stream(request, { signal, maxAttempts: 2 })) {
      if (part.kind === 'attempt') answer = '';
      if (part.kind === 'text-end') answer += part.text;
      if (part.kind === 'error') throw new Error(part.error.message);
      if (part.kind === 'finish' && part.costUsd) {
        run.add(part.costUsd);
        const spending = new DaySpending({ home, clock });
        spending.add(part.costUsd);
        await spending.settled();
      }
    }
    return answer;
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
