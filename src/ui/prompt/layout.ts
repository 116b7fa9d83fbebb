import { graphemes, textWidth } from '#lib/text-width.ts';
import { type Chips, chipLabel } from './chips.ts';
import { isChipAt } from './text-units.ts';

/** A tab is always this wide, wherever it stands. */
const tabCells = 4;

/** A piece of a row as drawn. */
type RowPart = { readonly text: string; readonly isChip: boolean };

/** One row of the editor: what is drawn for the text from `start` to `end`. */
export type LayoutRow = { readonly start: number; readonly end: number; readonly parts: readonly RowPart[] };
export type Layout = { readonly rows: readonly LayoutRow[]; readonly width: number };
export type CellPosition = { readonly row: number; readonly column: number };

type Cell = RowPart & { readonly start: number; readonly end: number; readonly width: number };

/**
 * Breaks a text into rows of at most `width` cells, at blanks where it can. One cell stays free for the cursor,
 * which one blank at the end of a row may take. There is always at least one row.
 */
export function layoutText(text: string, { width, chips }: { width: number; chips: Chips }): Layout {
  const rows: LayoutRow[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    for (const row of lineRows(line, { width, chips }))
      rows.push({ start: start + row.start, end: start + row.end, parts: row.parts });
    start += line.length + 1;
  }
  return { rows, width };
}

/** Where a cursor at `offset` is drawn. At a soft break it stands at the start of the lower row. */
export function positionOf(layout: Layout, { text, offset, chips }: Place): CellPosition {
  let low = 0;
  let high = layout.rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.rows[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const row = layout.rows[low];
  if (!row) return { row: 0, column: 0 };
  const column = lineCells(text.slice(row.start, Math.min(offset, row.end)), {
    width: layout.width,
    chips,
  }).reduce((sum, cell) => sum + cell.width, 0);
  return { row: low, column };
}

/** The offset in a row that lies nearest to a column, without going past it. */
export function offsetAt(layout: Layout, { text, row, column, chips }: Spot): number {
  const target = layout.rows[row];
  if (!target) return text.length;
  const isSoft = layout.rows[row + 1]?.start === target.end;
  const cells = lineCells(text.slice(target.start, target.end), { width: layout.width, chips });
  let at = 0;
  let offset = 0;
  for (const [index, cell] of cells.entries()) {
    // The end of a softly broken row is the start of the next one.
    if (isSoft && index === cells.length - 1) break;
    if (at + cell.width > column) break;
    at += cell.width;
    offset = cell.end;
  }
  return target.start + offset;
}

type Place = { text: string; offset: number; chips: Chips };
type Spot = { text: string; row: number; column: number; chips: Chips };
type Options = { width: number; chips: Chips };

function lineRows(line: string, options: Options): LayoutRow[] {
  const room = Math.max(1, options.width - 1);
  const cells = lineCells(line, options);
  const rows: LayoutRow[] = [];
  let first = 0;
  let used = 0;
  let breakAt = 0;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] as Cell;
    if (used + cell.width <= room) {
      used += cell.width;
      if (canBreakAfter(cell, cells[index + 1])) breakAt = index + 1;
      continue;
    }
    if (cell.text === ' ' && used > 0) {
      rows.push(rowOf(cells, first, index + 1));
      first = index + 1;
    } else {
      const next = breakAt > first ? breakAt : Math.max(index, first + 1);
      rows.push(rowOf(cells, first, next));
      first = next;
      // What was already measured but moved down is measured again.
      index = next - 1;
    }
    used = 0;
    breakAt = first;
  }
  const end = line.length;
  const start = cells[first]?.start ?? end;
  rows.push({ start, end, parts: joinParts(cells, first, cells.length) });
  return rows;
}

function rowOf(cells: readonly Cell[], first: number, next: number): LayoutRow {
  return {
    start: cells[first]?.start ?? 0,
    end: cells[next - 1]?.end ?? 0,
    parts: joinParts(cells, first, next),
  };
}

function joinParts(cells: readonly Cell[], first: number, next: number): RowPart[] {
  const parts: RowPart[] = [];
  let text = '';
  for (let index = first; index < next; index += 1) {
    const cell = cells[index] as Cell;
    if (!cell.isChip) {
      text += cell.text;
      continue;
    }
    if (text !== '') parts.push({ text, isChip: false });
    parts.push({ text: cell.text, isChip: true });
    text = '';
  }
  if (text !== '') parts.push({ text, isChip: false });
  return parts;
}

function canBreakAfter(cell: Cell, next: Cell | undefined): boolean {
  if (next?.text === ' ') return false;
  return cell.text.endsWith(' ') || cell.width > 1 || (next?.width ?? 0) > 1;
}

function lineCells(line: string, { width, chips }: Options): Cell[] {
  const room = Math.max(1, width - 1);
  const cells: Cell[] = [];
  let start = 0;
  for (const grapheme of graphemes(line)) {
    const drawn = drawGrapheme(grapheme, { room, chips });
    cells.push({ ...drawn, start, end: start + grapheme.length });
    start += grapheme.length;
  }
  return cells;
}

function drawGrapheme(
  grapheme: string,
  { room, chips }: { room: number; chips: Chips },
): RowPart & { width: number } {
  if (isChipAt(grapheme, 0)) {
    const label = chipLabel(chips, grapheme, room);
    return { text: label, width: label.length, isChip: true };
  }
  if (grapheme === '\t') {
    const width = Math.min(tabCells, room);
    return { text: ' '.repeat(width), width, isChip: false };
  }
  const width = textWidth(grapheme);
  // A wide character does not fit into a window of one column.
  return width > room ? { text: '?', width: 1, isChip: false } : { text: grapheme, width, isChip: false };
}
