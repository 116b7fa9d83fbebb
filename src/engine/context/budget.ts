import { formatUsd } from '#lib/amounts.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { Usage } from '#protocol/usage.ts';

/** What a model call before the next one used, for a guess at the next. */
export type LastCall = { usage: Usage | null };

const million = 1_000_000;
/** Tokens of an answer before any is known. */
const firstAnswer = 400;

/**
 * Why the next call must not be made: it would take the run past its budget. undefined = it may. A price that is not
 * known cannot be counted; the caller says so once.
 */
export function budgetStop({
  budgetUsd,
  spentUsd,
  info,
  inputTokens,
  last,
}: {
  budgetUsd: number | undefined;
  spentUsd: number;
  info: ModelInfo;
  inputTokens: number;
  last: LastCall | undefined;
}): string | undefined {
  if (budgetUsd === undefined || costsNothing(info)) return undefined;
  const next = nextCallUsd({ info, inputTokens, last });
  if (spentUsd + next <= budgetUsd) return undefined;
  return (
    `Stopped before a call of about ${formatUsd(next)}: ${formatUsd(spentUsd)} of the budget of ${formatUsd(budgetUsd)} ` +
    `(max_budget_usd) are spent. Raise it to go on.`
  );
}

export function unpricedWarning(info: ModelInfo): string {
  return (
    `The price of ${formatModelRef(info.ref)} is not known, so max_budget_usd cannot be kept for it. ` +
    `Set its price in the config to change that.`
  );
}

/** What was read from the cache last time is taken to be read from it again. */
function nextCallUsd({
  info,
  inputTokens,
  last,
}: {
  info: ModelInfo;
  inputTokens: number;
  last: LastCall | undefined;
}): number {
  const price = info.price?.value;
  if (!price) return 0;
  const cached = Math.min(inputTokens, (last?.usage?.cacheRead ?? 0) + (last?.usage?.cacheWrite ?? 0));
  const output = last?.usage?.output ?? firstAnswer;
  const cachePrice = price.cacheRead ?? price.input;
  return ((inputTokens - cached) * price.input + cached * cachePrice + output * price.output) / million;
}
