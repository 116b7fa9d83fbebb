import { formatCount } from '#lib/amounts.ts';
import { clipSpans, paintSpans, span } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';
import { columnsOf } from './cell-context.ts';

/** New rows are counted up to here: nobody wants to know more exactly, and each frame counts. */
export const mostCounted = 9_999;

/** Says that the end is out of view, how much of it is new, and how to get there. */
export function hintRow(
  { newRows, newestKey }: { newRows: number | null; newestKey: string },
  { width, theme }: { width: number; theme: Theme },
): string {
  const { left } = columnsOf(width);
  const count = newRows && newRows > mostCounted ? `${formatCount(mostCounted)}+` : formatCount(newRows ?? 0);
  const what = newRows ? `${count} new ${newRows === 1 ? 'row' : 'rows'} below` : 'more below';
  const hint = [
    span(`↓ ${what}`, newRows ? 'accent' : 'dim'),
    span('  ', 'dim'),
    span(newestKey, 'accent'),
    span(' follows', 'dim'),
  ];
  return paintSpans(theme, [span(' '.repeat(left)), ...clipSpans(hint, width - left)]);
}
