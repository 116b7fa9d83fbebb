import { graphemes, textWidth } from '#lib/text-width.ts';
import { lineEnd, lineStart, nextGrapheme, previousGrapheme } from '../text-units.ts';

/** As the prompt draws it. */
const tabCells = 4;

/** The last place in a line where the cursor may stand outside of the insert mode. */
export function lastInLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end === lineStart(text, offset) ? end : previousGrapheme(text, end);
}

/** Where the cursor of the normal mode may stand nearest to `offset`. */
export function onCharacter(text: string, offset: number): number {
  const at = Math.min(Math.max(0, offset), text.length);
  return Math.min(at, lastInLine(text, at));
}

/** The first character of a line that is no blank; its last one when it has none. */
export function firstSolid(text: string, offset: number): number {
  const start = lineStart(text, offset);
  const blanks = /^[ \t]*/.exec(text.slice(start, lineEnd(text, offset)))?.[0].length ?? 0;
  return onCharacter(text, start + blanks);
}

/** True when only blanks stand before `offset` in its line. */
export function isInIndent(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** The start of the line that lies `delta` lines further; undefined when the cursor is in the outermost one. */
export function lineFrom(text: string, offset: number, delta: number): number | undefined {
  let at = lineStart(text, offset);
  for (let left = Math.abs(delta); left > 0; left -= 1) {
    const next = delta > 0 ? lineEnd(text, at) + 1 : at - 1;
    if (next < 0 || next > text.length) return left === Math.abs(delta) ? undefined : at;
    at = lineStart(text, next);
  }
  return at;
}

/** The start of a line by its number, from 1; the last one when there are not so many. */
export function lineNumbered(text: string, number: number): number {
  return number <= 1 ? 0 : (lineFrom(text, 0, number - 1) ?? 0);
}

export function columnOf(text: string, offset: number): number {
  return cellsOf(text.slice(lineStart(text, offset), offset));
}

/** The character of a line that covers a column, or its last one. */
export function atColumn(text: string, start: number, column: number): number {
  const end = lineEnd(text, start);
  let at = start;
  let cells = 0;
  while (at < end) {
    const next = nextGrapheme(text, at);
    cells += cellsOf(text.slice(at, next));
    if (cells > column) return at;
    at = next;
  }
  return onCharacter(text, end);
}

export function cellsOf(text: string): number {
  return graphemes(text).reduce(
    (sum, grapheme) => sum + (grapheme === '\t' ? tabCells : textWidth(grapheme)),
    0,
  );
}

/** So many characters on, without leaving the line. */
export function charactersOn(text: string, offset: number, count: number): number {
  const end = lineEnd(text, offset);
  let at = offset;
  for (let left = count; left > 0 && at < end; left -= 1) at = nextGrapheme(text, at);
  return at;
}

/** So many characters back, without leaving the line. */
export function charactersBack(text: string, offset: number, count: number): number {
  const start = lineStart(text, offset);
  let at = offset;
  for (let left = count; left > 0 && at > start; left -= 1) at = previousGrapheme(text, at);
  return at;
}
