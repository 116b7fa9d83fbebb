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
    ...(totals.peers ? { peers: totals.peers } : {}),
  };
}

/** Adds one round with a peer. */
export function addPeerRound(totals: UsageTotals, costUsd: number | null): UsageTotals {
  const { rounds = 0, costUsd: before = 0, unpriced = false } = totals.peers ?? {};
  const peers = {
    rounds: rounds + 1,
    costUsd: before + (costUsd ?? 0),
    unpriced: unpriced || costUsd === null,
  };
  return { ...totals, peers };
}

/** US dollars of a thread with those of its peers, as far as prices are known. */
export function spentUsd({ costUsd, peers }: UsageTotals): number {
  return costUsd + (peers?.costUsd ?? 0);
}

/** Some call, of the thread or of its peers, had no known price. */
export function isUnpriced({ unpriced, peers }: UsageTotals): boolean {
  return unpriced || peers?.unpriced === true;
}

function cacheInput({ cacheInput: before }: UsageTotals, { input, cacheRead }: Usage) {
  const more = cacheRead === null ? undefined : (input ?? 0);
  return before === undefined && more === undefined ? {} : { cacheInput: (before ?? 0) + (more ?? 0) };
}
