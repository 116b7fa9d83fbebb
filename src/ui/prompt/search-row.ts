import { takeWidth, textWidth } from '#lib/text-width.ts';
import { type Span, span } from '../theme/span.ts';
import type { HistorySearch } from './history-walk.ts';

const label = 'search history: ';

/** The query of a search through earlier prompts; what it found stands in the prompt. */
export function searchRow({ query, index }: HistorySearch, width: number): readonly Span[] {
  const shown = shownQuery(query, width);
  const state = query !== '' && index === null ? '  nothing holds this' : '';
  return [
    span(label, 'accent'),
    span(shown),
    ...(textWidth(label + shown + state) < width ? [span(state, 'warning')] : []),
  ];
}

export function searchCursorColumn(query: string, width: number): number {
  return textWidth(label) + textWidth(shownQuery(query, width));
}

function shownQuery(query: string, width: number): string {
  return takeWidth(query, Math.max(1, width - textWidth(label) - 1));
}
