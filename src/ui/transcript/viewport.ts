import type { ScrollState } from '../store/view-state.ts';
import type { EntryList } from './entry-list.ts';
import type { Row } from './row.ts';

/** A place in the transcript: the entry, and a row of it; gap rows count as its first ones. */
export type Place = { readonly index: number; readonly row: number };

export type Viewport = {
  readonly rows: readonly Row[];
  /** Where the first row is from. */
  readonly top: Place;
  readonly isAtEnd: boolean;
};

/** All rows of an entry, its gap included. */
type RowsAt = (index: number) => readonly Row[];

/** The entries in view, each with the row of the screen that its first one is on; negative = above the screen. */
export function entriesInView(
  list: EntryList,
  rowsAt: RowsAt,
  { top, rows }: Viewport,
): { readonly index: number; readonly at: number }[] {
  const shown: { index: number; at: number }[] = [];
  let at = -top.row;
  for (let index = top.index; index < list.length && at < rows.length; index += 1) {
    shown.push({ index, at });
    at += rowsAt(index).length;
  }
  return shown;
}

/** The last rows that fit. Looks at no more entries than it shows. */
export function endViewport(list: EntryList, rowsAt: RowsAt, height: number): Viewport {
  const parts: (readonly Row[])[] = [];
  let free = height;
  let top: Place = { index: 0, row: 0 };
  for (let index = list.length - 1; index >= 0 && free > 0; index -= 1) {
    const rows = rowsAt(index);
    const from = Math.max(0, rows.length - free);
    parts.push(from === 0 ? rows : rows.slice(from));
    free -= rows.length - from;
    top = { index, row: from };
  }
  return { rows: parts.reverse().flat(), top, isAtEnd: true };
}

/**
 * The end while it grows. The first row stays where it is until the window is full, then moves on by `step` rows at
 * once: text can be read between two moves, and most of the screen need not be written again for each new row.
 */
export function followViewport(
  list: EntryList,
  rowsAt: RowsAt,
  { top, height, step }: { top: Place | undefined; height: number; step: number },
): Viewport {
  if (top) {
    const rows = rowsFrom(list, rowsAt, { top, most: height });
    if (rows && rows.length >= height - step) return { rows, top, isAtEnd: true };
    if (!rows) return endViewport(list, rowsAt, height - step);
  }
  return endViewport(list, rowsAt, height);
}

/** All rows from a place down; undefined when they are more than `most`. */
function rowsFrom(
  list: EntryList,
  rowsAt: RowsAt,
  { top, most }: { top: Place; most: number },
): Row[] | undefined {
  const rows: Row[] = [];
  for (let index = top.index; index < list.length; index += 1) {
    rows.push(...(index === top.index ? rowsAt(index).slice(top.row) : rowsAt(index)));
    if (rows.length > most) return undefined;
  }
  return rows;
}

/** The rows from `top` down. Where they do not fill the height, the end is shown instead. */
export function viewportFrom(
  list: EntryList,
  rowsAt: RowsAt,
  { top, height }: { top: Place; height: number },
): Viewport {
  const rows: Row[] = [];
  let index = top.index;
  for (; index < list.length && rows.length <= height; index += 1)
    rows.push(...(index === top.index ? rowsAt(index).slice(top.row) : rowsAt(index)));
  if (rows.length <= height) return endViewport(list, rowsAt, height);
  return { rows: rows.slice(0, height), top, isAtEnd: false };
}

/** Another place `rows` further down (negative: up), held inside the transcript. */
export function movePlace(
  list: EntryList,
  rowsAt: RowsAt,
  { from, rows }: { from: Place; rows: number },
): Place {
  let { index, row } = from;
  row += rows;
  while (row < 0 && index > 0) {
    index -= 1;
    row += rowsAt(index).length;
  }
  while (index < list.length - 1 && row >= rowsAt(index).length) {
    row -= rowsAt(index).length;
    index += 1;
  }
  return { index, row: Math.max(0, Math.min(row, rowsAt(index).length - 1)) };
}

/** Where an anchor stands now; undefined when its cell is gone. Another width may have left it fewer rows. */
export function placeOf(list: EntryList, rowsAt: RowsAt, scroll: ScrollState): Place | undefined {
  if (scroll.kind === 'follow') return undefined;
  const index = list.indexOf(scroll.cellId);
  if (index < 0) return undefined;
  return { index, row: Math.min(scroll.row, Math.max(0, rowsAt(index).length - 1)) };
}
