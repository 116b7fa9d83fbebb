import { stripVTControlCharacters } from 'node:util';
import { textWidth } from '#lib/text-width.ts';
import type { Row } from '../row.ts';

/** One row of a selection as a person reads it, and what of it is selected, in characters. */
export type SelectedRow = { readonly plain: string; readonly from: number; readonly to: number };

/**
 * The selected rows of one cell as text: the marks and blanks at the left edge are left out, and rows that are one
 * line in `unwrapped` (the same cell in a window without an end) become one line again.
 */
export function selectedText(
  rows: readonly SelectedRow[],
  { unwrapped, gutter, edge }: { unwrapped: readonly Row[]; gutter: number; edge: number },
): string {
  const lines = new WrittenLines(unwrapped.map(plainRow));
  const texts: { text: string; isWhole: boolean }[] = [];
  for (const [index, row] of rows.entries()) {
    const isWhole = row.from <= gutter + indentOf(row.plain.slice(gutter));
    const text = row.plain.slice(isWhole ? gutter : row.from, row.to).trimEnd();
    const above = rows[index - 1];
    const gap = above && joint(above.plain, row.plain, { lines, gutter, edge });
    const last = texts.at(-1);
    if (last && gap !== undefined) last.text += gap + text.trimStart();
    else texts.push({ text: isWhole ? text.replace(toolMark, '') : text, isWhole });
  }
  const indent = Math.min(
    ...texts.filter(({ text, isWhole }) => isWhole && text !== '').map(({ text }) => indentOf(text)),
  );
  return texts.map(({ text, isWhole }) => (isWhole && indent > 0 ? text.slice(indent) : text)).join('\n');
}

/** How a call stands, in front of its name. */
const toolMark = /^[▸▾✗■⊘○] (?=\S)/u;

/** A row without its colours; a row that moves with time is no text. */
export function plainRow(row: Row): string {
  return typeof row === 'string' ? stripVTControlCharacters(row).trimEnd() : '';
}

/** So much on both sides of a joint stands nowhere else by chance. */
const comparedCharacters = 24;

/** The blanks between two rows that are one line; undefined when a line ends with the upper one. */
function joint(
  above: string,
  below: string,
  { lines, gutter, edge }: { lines: WrittenLines; gutter: number; edge: number },
): string | undefined {
  const [upper, lower] = [above.slice(gutter).trimEnd(), below.slice(gutter).trim()];
  const word = /^\S+/.exec(lower)?.[0];
  // The next word would have had room: the line ended here.
  if (word === undefined || textWidth(above) + 1 + textWidth(word) <= edge) return undefined;
  const tail = compact(upper).slice(-comparedCharacters);
  return tail === '' ? undefined : lines.blanksBetween(tail, compact(lower).slice(0, comparedCharacters));
}

/** Joints come from top to bottom, so the next one is looked for where the last one was. */
class WrittenLines {
  readonly #lines: readonly string[];
  readonly #compact: readonly string[];
  #near = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#compact = lines.map(compact);
  }

  blanksBetween(tail: string, head: string): string | undefined {
    for (let step = 0; step < this.#lines.length; step += 1) {
      const index = (this.#near + step) % this.#lines.length;
      const at = this.#compact[index]?.indexOf(tail + head) ?? -1;
      if (at < 0) continue;
      this.#near = index;
      return blanksAfter(this.#lines[index] ?? '', at + tail.length);
    }
    return undefined;
  }
}

function compact(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** The blanks behind the first `count` characters that are none. */
function blanksAfter(line: string, count: number): string {
  let seen = 0;
  let at = 0;
  for (; at < line.length && seen < count; at += 1) if (line.charAt(at).trim() !== '') seen += 1;
  return /^\s*/.exec(line.slice(at))?.[0] ?? '';
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
