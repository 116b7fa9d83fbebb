import { formatUsd } from '#lib/amounts.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { Usage } from '#protocol/usage.ts';

/** What a model call before the next one used, for a guess at the next. */
export type LastCall = { usage: Usage | null };

const budgetSpans = ['run', 'thread', 'day'] as const;
type BudgetSpan = (typeof budgetSpans)[number];
/** US dollars that may be spent; a span without a number has no limit. */
export type BudgetLimits = { readonly [span in BudgetSpan]?: number | undefined };
/** US dollars that are spent. */
export type Spent = Readonly<Record<BudgetSpan, number>>;

const spanNames: Readonly<Record<BudgetSpan, string>> = {
  run: 'this run',
  thread: 'this thread',
  day: 'today',
};

const million = 1_000_000;
/** Tokens of an answer before any is known. */
const firstAnswer = 400;

/**
 * Why the next call must not be made: it would pass a budget. undefined = it may. A price that is not known cannot be
 * counted; the caller says so once.
 */
export function budgetStop({
  limits,
  spent,
  info,
  inputTokens,
  last,
}: {
  limits: BudgetLimits;
  spent: Spent;
  info: ModelInfo;
  inputTokens: number;
  last: LastCall | undefined;
}): string | undefined {
  if (costsNothing(info)) return undefined;
  const next = nextCallUsd({ info, inputTokens, last });
  const span = budgetSpans.find((each) => spent[each] + next > (limits[each] ?? Number.POSITIVE_INFINITY));
  if (span === undefined) return undefined;
  return (
    `Stopped before a call of about ${formatUsd(next)}: ${formatUsd(spent[span])} of the ` +
    `${formatUsd(limits[span] ?? 0)} for ${spanNames[span]} (max_budget_usd.${span}) are spent. Raise it to go on.`
  );
}

export function hasBudget(limits: BudgetLimits | undefined): limits is BudgetLimits {
  return limits !== undefined && budgetSpans.some((span) => limits[span] !== undefined);
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
