import { stripVTControlCharacters } from 'node:util';
import { markRow, type RowMark } from '../mark-row.ts';
import type { Row } from '../row.ts';

/** The words of a cell without its wraps, and where each row of it begins in them. */
export type CellText = { readonly text: string; readonly rows: readonly RowStart[] };
/** `skipped` = blanks before the words of the row, which are not part of the text. */
type RowStart = { readonly at: number; readonly skipped: number };

/** A piece of one match in one row, in characters of the row; a match that was wrapped has several. */
type Mark = RowMark & { readonly row: number };

/** Small letters find both cases, a capital only itself. Blanks find the end of a row too. */
export function searchPattern(query: string): RegExp | undefined {
  const words = query.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (words === '') return undefined;
  return new RegExp(words.replaceAll(/\s+/g, '\\s+'), /\p{Lu}/u.test(query) ? 'gu' : 'giu');
}

/** Rows that move with time have no words to find. */
export function cellText(rows: readonly Row[]): CellText {
  let text = '';
  const starts = rows.map((row): RowStart => {
    const plain = typeof row === 'string' ? stripVTControlCharacters(row).trimEnd() : '';
    const words = plain.trimStart();
    const start = { at: text.length, skipped: plain.length - words.length };
    text += `${words} `;
    return start;
  });
  return { text, rows: starts };
}

export function countMatches({ text }: CellText, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

/** The row of a cell that its match number `nth` begins in; 0 when there is no such match. */
export function rowOfMatch(cell: CellText, pattern: RegExp, nth: number): number {
  let count = 0;
  for (const match of cell.text.matchAll(pattern)) {
    if (count === nth) return rowAt(cell, match.index);
    count += 1;
  }
  return 0;
}

/** The rows with all matches underlined and the current one reversed as well. */
export function markMatches(rows: readonly Row[], pattern: RegExp, current: number | null): readonly Row[] {
  const cell = cellText(rows);
  const byRow = new Map<number, Mark[]>();
  let count = 0;
  for (const match of cell.text.matchAll(pattern)) {
    for (const mark of marksOf(cell, match.index, match.index + match[0].length, count === current))
      byRow.set(mark.row, [...(byRow.get(mark.row) ?? []), mark]);
    count += 1;
  }
  if (count === 0) return rows;
  return rows.map((row, index) => {
    const marks = byRow.get(index);
    return marks && typeof row === 'string' ? markRow(row, marks) : row;
  });
}

function rowAt({ rows }: CellText, at: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function marksOf(cell: CellText, from: number, to: number, isCurrent: boolean): Mark[] {
  const marks: Mark[] = [];
  const looks = isCurrent ? (['underline', 'inverse'] as const) : (['underline'] as const);
  for (let row = rowAt(cell, from); row < cell.rows.length; row += 1) {
    const { at, skipped } = cell.rows[row] ?? { at: to, skipped: 0 };
    if (at >= to) break;
    // The blank between two rows is in neither.
    const end = (cell.rows[row + 1]?.at ?? cell.text.length) - 1;
    const [first, last] = [Math.max(from, at), Math.min(to, end)];
    if (last > first) marks.push({ row, from: first - at + skipped, to: last - at + skipped, looks });
  }
  return marks;
}
