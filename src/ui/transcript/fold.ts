import { formatCount } from '#lib/amounts.ts';
import { type Span, span } from '../theme/span.ts';

/** More than this is never drawn of one cell; the whole is in the thread's files. */
export const mostRows = 4_000;

export type Folded = { readonly rows: readonly (readonly Span[])[]; readonly hidden: number };

/** Keeps the first or the last `limit` rows. A single hidden row would not be worth its hint. */
export function fold(
  rows: readonly (readonly Span[])[],
  { limit, keep, expanded }: { limit: number; keep: 'head' | 'tail'; expanded: boolean },
): Folded {
  const most = expanded ? mostRows : limit;
  if (rows.length <= most + (expanded || limit === 0 ? 0 : 1)) return { rows, hidden: 0 };
  const shown = most === 0 ? [] : keep === 'head' ? rows.slice(0, most) : rows.slice(-most);
  return { rows: shown, hidden: rows.length - shown.length };
}

/** `… 38 more lines  ctrl+o` */
export function moreHint(
  count: number,
  { expanded, keep }: { expanded: boolean; keep: 'head' | 'tail' },
): Span[] {
  const lines = hiddenText(count, keep === 'head' ? 'more' : 'earlier');
  return [span(expanded ? `${lines} not shown` : `${lines}  ctrl+o`, 'dim')];
}

/** `… 1,234 earlier lines` */
export function hiddenText(count: number, which: 'more' | 'earlier'): string {
  return `… ${formatCount(count)} ${which} ${count === 1 ? 'line' : 'lines'}`;
}
