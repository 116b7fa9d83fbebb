import { truncateEnd } from '#lib/text-width.ts';
import { paintSpans, span } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';
import { columnsOf } from './cell-context.ts';

/** Says that the end is out of view, how much of it is new, and how to get there. */
export function hintRow(
  { newRows, newestKey }: { newRows: number | null; newestKey: string },
  { width, theme }: { width: number; theme: Theme },
): string {
  const { left } = columnsOf(width);
  const what = newRows ? `${newRows} new ${newRows === 1 ? 'row' : 'rows'} below` : 'more below';
  const text = truncateEnd(`↓ ${what}`, width - left);
  const key = truncateEnd(`  ${newestKey}`, width - left - text.length);
  return paintSpans(theme, [
    span(' '.repeat(left)),
    span(text, newRows ? 'accent' : 'dim'),
    span(key, 'dim'),
  ]);
}
