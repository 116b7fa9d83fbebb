import { graphemes } from '#lib/text-width.ts';
import { lineEnd, lineStart, nextGrapheme } from '../text-units.ts';
import { cellsOf, charactersOn, firstSolid, lineFrom } from './lines.ts';
import type { Register } from './registers.ts';
import type { Span } from './spans.ts';

/** A changed text, and where the cursor stands in it. */
export type Rewrite = { readonly text: string; readonly cursor: number };

/** Cells by which `>` moves a line. */
const shiftCells = 2;

export function spliced(text: string, { from, to }: { from: number; to: number }, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

export function deleted(text: string, span: Span): Rewrite {
  if (!span.isLinewise) return { text: spliced(text, span, ''), cursor: span.from };
  const hasNext = span.to < text.length;
  const from = hasNext ? span.from : Math.max(0, span.from - 1);
  const next = spliced(text, { from, to: hasNext ? span.to + 1 : span.to }, '');
  return { text: next, cursor: firstSolid(next, hasNext ? from : lineStart(next, next.length)) };
}

export function shifted(
  text: string,
  span: Span,
  { times, isLeft }: { times: number; isLeft: boolean },
): Rewrite {
  const { from, to } = linesOf(text, span);
  const lines = text
    .slice(from, to)
    .split('\n')
    .map((line) => {
      const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
      if (indent === line && line === '') return line;
      const cells = Math.max(0, cellsOf(indent) + (isLeft ? -1 : 1) * shiftCells * times);
      return ' '.repeat(cells) + line.slice(indent.length);
    });
  const next = spliced(text, { from, to }, lines.join('\n'));
  return { text: next, cursor: firstSolid(next, from) };
}

function linesOf(text: string, { from, to, isLinewise }: Span): { from: number; to: number } {
  const last = isLinewise ? to : Math.max(from, to - 1);
  return { from: lineStart(text, from), to: lineEnd(text, last) };
}

export function recased(text: string, span: Span, how: 'g~' | 'gu' | 'gU'): Rewrite {
  const part = text.slice(span.from, span.to);
  return {
    text: spliced(text, span, Array.from(part, (character) => inCase(character, how)).join('')),
    cursor: span.from,
  };
}

function inCase(character: string, how: 'g~' | 'gu' | 'gU'): string {
  const upper = character.toUpperCase();
  const lower = character.toLowerCase();
  const wanted = how === 'gU' || (how === 'g~' && character === lower) ? upper : lower;
  // What would become two characters, as ß does, stays.
  return wanted.length === character.length ? wanted : character;
}

/** Joins so many lines; `isPlain`: without a blank between them. */
export function joined(
  text: string,
  from: number,
  { lines, isPlain }: { lines: number; isPlain: boolean },
): Rewrite | undefined {
  let next = text;
  let cursor = from;
  const start = lineStart(text, from);
  for (let left = Math.max(2, lines) - 1; left > 0; left -= 1) {
    const end = lineEnd(next, start);
    if (end === next.length) {
      if (left === Math.max(2, lines) - 1) return undefined;
      break;
    }
    const blanks = isPlain ? 0 : (/^[ \t]*/.exec(next.slice(end + 1))?.[0].length ?? 0);
    const first = next.charAt(end + 1 + blanks);
    const isEmpty = first === '' || first === '\n';
    const before = next.slice(start, end);
    const needsBlank = !isPlain && !isEmpty && first !== ')' && before !== '' && !/[ \t]$/.test(before);
    next = spliced(next, { from: end, to: end + 1 + blanks }, needsBlank ? ' ' : '');
    cursor = end;
  }
  return { text: next, cursor };
}

export function replacedCharacters(
  text: string,
  cursor: number,
  { by, count }: { by: string; count: number },
): Rewrite | undefined {
  const to = charactersOn(text, cursor, count);
  const have = graphemes(text.slice(cursor, to)).length;
  if (have < count) return undefined;
  if (by === '\n') return { text: spliced(text, { from: cursor, to }, '\n'), cursor: cursor + 1 };
  const next = spliced(text, { from: cursor, to }, by.repeat(count));
  return { text: next, cursor: cursor + by.length * (count - 1) };
}

/** Every character of a selection becomes this one; the ends of lines stay. */
export function filled(text: string, span: Span, by: string): Rewrite {
  const part = graphemes(text.slice(span.from, span.to)).map((grapheme) =>
    grapheme === '\n' ? grapheme : by,
  );
  return { text: spliced(text, span, part.join('')), cursor: span.from };
}

export function put(
  text: string,
  cursor: number,
  { register, count, isBefore }: { register: Register; count: number; isBefore: boolean },
): Rewrite {
  if (register.isLinewise) {
    const block = Array.from({ length: count }, () => register.text).join('\n');
    const at = isBefore ? lineStart(text, cursor) : lineEnd(text, cursor);
    const next = spliced(text, { from: at, to: at }, isBefore ? `${block}\n` : `\n${block}`);
    return { text: next, cursor: firstSolid(next, isBefore ? at : at + 1) };
  }
  const block = register.text.repeat(count);
  const at = isBefore || cursor === lineEnd(text, cursor) ? cursor : nextGrapheme(text, cursor);
  const next = spliced(text, { from: at, to: at }, block);
  const lastLength = graphemes(block).at(-1)?.length ?? 0;
  return { text: next, cursor: block.includes('\n') ? at : at + block.length - lastLength };
}

/** A register in the place of a selection. */
export function putOver(
  text: string,
  span: Span,
  { register, count }: { register: Register; count: number },
): Rewrite {
  const parts = Array.from({ length: count }, () => register.text);
  if (span.isLinewise || register.isLinewise) {
    const block = parts.join('\n');
    const before = span.isLinewise ? '' : '\n';
    const after = span.isLinewise ? '' : '\n';
    const next = spliced(text, span, before + block + after);
    const at = span.from + before.length;
    return { text: next, cursor: register.isLinewise ? firstSolid(next, at) : at };
  }
  const block = parts.join('');
  const cursor = block.includes('\n') || block === '' ? span.from : span.from + lastStart(block);
  return { text: spliced(text, span, block), cursor };
}

function lastStart(block: string): number {
  return Math.max(0, block.length - (graphemes(block).at(-1)?.length ?? 0));
}

/** Adds to the number at or behind the cursor in its line. */
export function counted(text: string, cursor: number, by: number): Rewrite | undefined {
  const start = lineStart(text, cursor);
  const line = text.slice(start, lineEnd(text, cursor));
  for (const match of line.matchAll(/-?\d+/g)) {
    const from = start + match.index;
    const to = from + match[0].length;
    if (to <= cursor) continue;
    const digits = match[0].replace('-', '').length;
    const sum = BigInt(match[0]) + BigInt(by);
    const isPadded = /^-?0\d/.test(match[0]);
    const size = String(sum < 0n ? -sum : sum);
    const shown = (sum < 0n ? '-' : '') + (isPadded ? size.padStart(digits, '0') : size);
    return { text: spliced(text, { from, to }, shown), cursor: from + shown.length - 1 };
  }
  return undefined;
}

/** An empty line below or above, with the cursor in it. */
export function opened(text: string, cursor: number, { isAbove }: { isAbove: boolean }): Rewrite {
  const at = isAbove ? lineStart(text, cursor) : lineEnd(text, cursor);
  return { text: spliced(text, { from: at, to: at }, '\n'), cursor: isAbove ? at : at + 1 };
}

/** Where undo leaves the cursor: in the first line that changed, at its old place when it was there. */
export function cursorAfterUndo(before: string, after: string, saved: number): number {
  const old = before.split('\n');
  const now = after.split('\n');
  let row = 0;
  while (row < now.length - 1 && row < old.length && old[row] === now[row]) row += 1;
  const savedRow = after.slice(0, saved).split('\n').length - 1;
  if (savedRow === row || savedRow + 1 === row) return saved;
  return firstSolid(after, lineFrom(after, 0, row) ?? 0);
}
