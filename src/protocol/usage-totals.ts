// Free of zod, like every file here that the first paint needs.
import type { Usage, UsageTotals } from './usage.ts';

export const emptyTotals: UsageTotals = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  steps: 0,
  costUsd: 0,
  unpriced: false,
};

/** `costUsd` null = the price is unknown; a local model costs 0. */
export function addUsage(totals: UsageTotals, usage: Usage, costUsd: number | null): UsageTotals {
  return {
    input: totals.input + (usage.input ?? 0),
    output: totals.output + (usage.output ?? 0),
    cacheRead: totals.cacheRead + (usage.cacheRead ?? 0),
    cacheWrite: totals.cacheWrite + (usage.cacheWrite ?? 0),
    reasoning: totals.reasoning + (usage.reasoning ?? 0),
    steps: totals.steps + 1,
    costUsd: totals.costUsd + (costUsd ?? 0),
    unpriced: totals.unpriced || costUsd === null,
    ...cacheInput(totals, usage),
  };
}

function cacheInput({ cacheInput: before }: UsageTotals, { input, cacheRead }: Usage) {
  const more = cacheRead === null ? undefined : (input ?? 0);
  return before === undefined && more === undefined ? {} : { cacheInput: (before ?? 0) + (more ?? 0) };
}
