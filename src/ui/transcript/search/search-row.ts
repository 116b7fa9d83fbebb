import { formatCount } from '#lib/amounts.ts';
import { textWidth, truncateStart } from '#lib/text-width.ts';
import type { SearchView } from '../../store/view-state.ts';
import { clipSpans, paintSpans, span } from '../../theme/span.ts';
import type { Theme } from '../../theme/theme.ts';
import { columnsOf } from '../cell-context.ts';

/** `search  gift card▏  3/17   ⏎ stays  ↑↓ older, newer  esc back` */
export function searchRow(search: SearchView, { width, theme }: { width: number; theme: Theme }): string {
  const { left } = columnsOf(width);
  const room = width - left;
  const query = truncateStart(search.query, Math.max(1, room - textWidth('search     1,000/1,000… ')));
  const caret = search.isWalking ? [] : [span(' ', 'text', 'inverse')];
  const keys = search.isWalking
    ? 'n older  N newer  / edit  esc leaves'
    : '⏎ stays  ↑ older  ↓ newer  esc back';
  const row = [
    span('search  ', 'accent'),
    span(query),
    ...caret,
    ...countSpans(search),
    span(`   ${keys}`, 'dim'),
  ];
  return paintSpans(theme, [span(' '.repeat(left)), ...clipSpans(row, room)]);
}

function countSpans({ query, count, at, isComplete }: SearchView) {
  if (query.trim() === '') return [];
  if (count === 0) return [span(isComplete ? '  no match' : '  …', isComplete ? 'warning' : 'dim')];
  return [span(`  ${formatCount(at)}/${formatCount(count)}${isComplete ? '' : '…'}`)];
}
