import { topInView } from '../frame/top-in-view.ts';

/**
 * Selection and scroll of a list whose rows have ids. `top` is the first row in view; drawing moves it as far
 * as needed to keep the selected row in view, so it may be stale without harm.
 */
export type ChoiceList = { readonly selected: string | undefined; readonly top: number };

export const emptyList: ChoiceList = { selected: undefined, top: 0 };

export type ListMove = 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last';

/** `pageRows` is how many rows were in view when the person pressed the key. Up and down go round the ends. */
export function moveSelection(
  list: ChoiceList,
  ids: readonly string[],
  { move, pageRows }: { move: ListMove; pageRows: number },
): ChoiceList {
  if (ids.length === 0) return list;
  const index = Math.max(0, selectedIndex(list, ids));
  const next = movedIndex(index, { move, count: ids.length, page: Math.max(1, pageRows - 1) });
  return {
    selected: ids[next],
    top: topInView({ top: list.top, index: next, rows: pageRows, count: ids.length }),
  };
}

/**
 * The list after its rows changed under the person's hands: the same row stays selected, at the same height of
 * the window. A selection that is gone goes to the first row.
 */
export function keepSelection(
  list: ChoiceList,
  before: readonly string[],
  after: readonly string[],
): ChoiceList {
  const index = selectedIndex(list, after);
  if (index < 0) return { selected: after[0], top: 0 };
  const was = selectedIndex(list, before);
  return { selected: list.selected, top: was < 0 ? list.top : Math.max(0, list.top + index - was) };
}

export function selectedIndex(list: ChoiceList, ids: readonly string[]): number {
  return list.selected === undefined ? -1 : ids.indexOf(list.selected);
}

function movedIndex(
  index: number,
  { move, count, page }: { move: ListMove; count: number; page: number },
): number {
  switch (move) {
    case 'up':
      return index === 0 ? count - 1 : index - 1;
    case 'down':
      return index === count - 1 ? 0 : index + 1;
    case 'page-up':
      return Math.max(0, index - page);
    case 'page-down':
      return Math.min(count - 1, index + page);
    case 'first':
      return 0;
    case 'last':
      return count - 1;
  }
}
