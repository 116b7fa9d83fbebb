import { takeWidth, textWidth } from '#lib/text-width.ts';
import { type Span, span } from '../theme/span.ts';
import type { HistorySearch } from './history-walk.ts';

/** The query of a search through earlier prompts; what it found stands in the prompt. */
export function searchRow(search: HistorySearch, width: number): readonly Span[] {
  const { query, index, isEverywhere } = search;
  const label = labelOf(search);
  const shown = shownQuery(search, width);
  const where = isEverywhere ? '' : ' here · ctrl+t all projects';
  const state = query !== '' && index === null ? `  nothing holds this${where}` : '';
  return [
    span(label, 'accent'),
    span(shown),
    ...(textWidth(label + shown + state) < width ? [span(state, 'warning')] : []),
  ];
}

export function searchCursorColumn(search: HistorySearch, width: number): number {
  return textWidth(labelOf(search)) + textWidth(shownQuery(search, width));
}

function labelOf({ isEverywhere }: HistorySearch): string {
  return isEverywhere ? 'search all projects: ' : 'search history: ';
}

function shownQuery(search: HistorySearch, width: number): string {
  return takeWidth(search.query, Math.max(1, width - textWidth(labelOf(search)) - 1));
}
