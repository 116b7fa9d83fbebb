// Free of zod, like every file here that the first paint needs.
import type { ModelRef } from './model-ref.ts';
import { formatModelRef } from './model-ref-text.ts';
import type { ThreadState } from './thread-state.ts';
import type { CacheMiss, Usage } from './usage.ts';
import { addUsage, emptyTotals } from './usage-totals.ts';

/** Turns and cache misses that a thread remembers one by one; its totals count all of them. */
const maxTurns = 40;
const maxMisses = 20;

type Spent = {
  /** null = not known, e.g. a summary in an old log. */
  model: ModelRef | null;
  usage: Usage;
  costUsd: number | null;
  turnId: string | null;
  at: number;
  cacheMiss?: CacheMiss | undefined;
};

/** Adds one model call to the sums of a thread, of its model and of its turn. */
export function addSpending(
  state: Pick<ThreadState, 'totals' | 'totalsByModel' | 'turnTotals' | 'cacheMisses'>,
  { model, usage, costUsd, turnId, at, cacheMiss }: Spent,
): Partial<ThreadState> {
  const sums: Partial<ThreadState> = { totals: addUsage(state.totals, usage, costUsd) };
  if (model) {
    const name = formatModelRef({ provider: model.provider, model: model.model });
    const byModel = state.totalsByModel ?? {};
    sums.totalsByModel = { ...byModel, [name]: addUsage(byModel[name] ?? emptyTotals, usage, costUsd) };
    if (cacheMiss)
      sums.cacheMisses = [...(state.cacheMisses ?? []), { ...cacheMiss, model: name, at }].slice(-maxMisses);
  }
  if (turnId !== null) {
    const turns = state.turnTotals ?? [];
    const last = turns.at(-1);
    const own = last?.turnId === turnId ? last : { turnId, at, totals: emptyTotals };
    const before = own === last ? turns.slice(0, -1) : turns;
    sums.turnTotals = [...before, { ...own, totals: addUsage(own.totals, usage, costUsd) }].slice(-maxTurns);
  }
  return sums;
}
