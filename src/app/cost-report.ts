import { formatCount, formatUsd } from '#lib/amounts.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { CacheMissReason, UsageTotals } from '#protocol/usage.ts';
import { emptyTotals } from '#protocol/usage-totals.ts';

/** Turns that the report shows one by one. */
const shownTurns = 5;

const missTexts: Readonly<Record<CacheMissReason, string>> = {
  'model-switched': 'the model was switched, and another one has a cache of its own',
  resumed: 'the thread was opened again',
  'system-changed': 'the system prompt changed',
  'tools-changed': 'the tools changed',
  compacted: 'history was compacted',
  trimmed: 'old tool results were shortened to make room',
  'history-changed': 'earlier messages changed',
  expired: 'more than five minutes passed',
  unknown: 'the provider did not keep it',
};

/** What a thread has cost, as markdown: in all, by model, by turn, and what its caches saved. */
export function costReport(state: ThreadState, spentToday: number): string {
  const { totals, totalsByModel = {}, turnTotals = [], model } = state;
  const last = turnTotals.at(-1);
  const facts = [
    ...(model ? [`model: ${formatModelRef(model)}`] : []),
    `this thread: ${sumText(totals)}`,
    ...(totals.peers ? [`peers asked from it: ${peersText(totals.peers)}`] : []),
    ...(last ? [`${last.turnId === state.turnId ? 'this turn' : 'last turn'}: ${sumText(last.totals)}`] : []),
    ...(spentToday > 0 ? [`today, all threads: ${formatUsd(spentToday)}`] : []),
    ...contextLine(state),
  ];
  const byModel = Object.entries(totalsByModel).map(([name, sums]) => row(code(name), sums));
  const byTurn = turnTotals.slice(-shownTurns).map((turn) => row(timeOf(turn.at), turn.totals));
  return [
    // Two blanks at the end of a line keep it a line of its own.
    facts.join('  \n'),
    ...(byModel.length > 0 ? [table('by model', byModel)] : []),
    ...(byTurn.length > 1 ? [table('by turn', byTurn)] : []),
    ...cacheLines(state),
  ].join('\n\n');
}

/** `unknown` is never shown as nothing: what has no price is named beside what has one. */
function costText({ costUsd, unpriced, steps }: UsageTotals): string {
  if (steps === 0) return '';
  if (unpriced) return costUsd === 0 ? 'unknown' : `${formatUsd(costUsd)} + unknown`;
  return costUsd === 0 ? 'free' : formatUsd(costUsd);
}

function sumText(totals: UsageTotals): string {
  const { steps, input, output } = totals;
  return `${costText(totals)} · ${calls(steps)} · ${formatCount(input)} tokens in, ${formatCount(output)} out`;
}

function peersText({ rounds, costUsd, unpriced }: NonNullable<UsageTotals['peers']>): string {
  const cost = costText({ ...emptyTotals, costUsd, unpriced, steps: rounds });
  return `${cost} · ${rounds === 1 ? '1 answer' : `${formatCount(rounds)} answers`}, beside the above`;
}

function calls(count: number): string {
  return count === 1 ? '1 model call' : `${formatCount(count)} model calls`;
}

function row(name: string, totals: UsageTotals): string[] {
  const { steps, input, output, reasoning, cacheWrite } = totals;
  const cached = [cacheShare(totals), ...(cacheWrite > 0 ? [`${formatCount(cacheWrite)} written`] : [])];
  const thought = reasoning > 0 ? ` (${formatCount(reasoning)} thought)` : '';
  return [
    name,
    String(steps),
    formatCount(input),
    cached.join(', '),
    `${formatCount(output)}${thought}`,
    costText(totals),
  ];
}

/** Of the input whose cache reads were reported. */
function cacheShare({ cacheRead, cacheInput }: UsageTotals): string {
  return cacheInput ? `${Math.round((cacheRead / cacheInput) * 100)} %` : 'not said';
}

function table(first: string, rows: readonly (readonly string[])[]): string {
  const head = [first, 'calls', 'in', 'from cache', 'out', 'cost'];
  return [head, ['---', '--:', '--:', '--:', '--:', '--:'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function cacheLines({ totals, cacheMisses = [] }: ThreadState): string[] {
  const hits = totals.cacheInput ? [`cache: ${cacheShare(totals)} of the input came from it`] : [];
  const misses = cacheMisses
    .slice(-3)
    .map(
      ({ at, model, reason, tokens }) =>
        `- ${timeOf(at)} ${code(model)}: ${formatCount(tokens)} tokens were not found there: ${missTexts[reason]}`,
    );
  return [...hits, ...(misses.length > 0 ? [misses.join('\n')] : [])];
}

function contextLine({ contextTokens, contextWindow }: ThreadState): string[] {
  if (contextTokens === null || contextWindow === null || contextWindow === 0) return [];
  const share = Math.round((contextTokens / contextWindow) * 100);
  return [`context: ${formatCount(contextTokens)} of ${formatCount(contextWindow)} (${share} %)`];
}

function timeOf(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A name that a server chose must not become markup. */
function code(name: string): string {
  return `\`${name.replaceAll(/[`|]/g, '')}\``;
}
