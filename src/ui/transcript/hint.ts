import { clipSpans, paintSpans, span } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';
import { columnsOf } from './cell-context.ts';

/** Says that the end is out of view, how much of it is new, and how to get there. */
export function hintRow(
  { newRows, newestKey }: { newRows: number | null; newestKey: string },
  { width, theme }: { width: number; theme: Theme },
): string {
  const { left } = columnsOf(width);
  const what = newRows ? `${newRows} new ${newRows === 1 ? 'row' : 'rows'} below` : 'more below';
  const hint = [span(`↓ ${what}`, newRows ? 'accent' : 'dim'), span(`  ${newestKey}`, 'dim')];
  return paintSpans(theme, [span(' '.repeat(left)), ...clipSpans(hint, width - left)]);
}
