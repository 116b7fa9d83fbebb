import { formatCount } from './amounts.ts';
import { graphemes, takeWidth, textWidth } from './text-width.ts';

/** A piece of text with whatever its owner wants to keep beside it. Free of tabs, newlines and controls. */
export type Run<Style> = { readonly text: string; readonly style: Style };

/**
 * Wraps at blanks, and between wide characters. Blanks at a break vanish, others stay. A word that is longer than
 * a row is broken. Never returns an empty list, nor a row wider than `width` unless one character alone is.
 */
export function wrapRuns<Style>(runs: readonly Run<Style>[], width: number): Run<Style>[][] {
  const limit = Math.max(1, width);
  const rows = new RowBuilder<Style>();
  let gap: Run<Style>[] = [];
  let gapWidth = 0;
  for (const unit of units(runs)) {
    if (unit.isBlank) {
      gap.push(...unit.runs);
      gapWidth += unit.width;
      continue;
    }
    const isWanted = rows.width === 0 && rows.count > 0 ? false : gapWidth > 0;
    const before = isWanted ? gapWidth : 0;
    if (rows.width + before + unit.width <= limit) {
      if (isWanted) rows.add(gap, gapWidth);
      rows.add(unit.runs, unit.width);
    } else {
      if (rows.width > 0) rows.next();
      addBroken(rows, unit, limit);
    }
    gap = [];
    gapWidth = 0;
  }
  return rows.finish();
}

/** Breaks only where a row is full; keeps every character. For code and program output. */
export function breakRuns<Style>(runs: readonly Run<Style>[], width: number): Run<Style>[][] {
  const rows = new RowBuilder<Style>();
  const limit = Math.max(1, width);
  for (const run of runs) addBroken(rows, { runs: [run], width: textWidth(run.text) }, limit);
  return rows.finish();
}

const headLength = 16_000;
const tailLength = 4_000;

/**
 * One line for a place where nobody decides on it: what is too long to be read loses its middle, which a mark
 * stands for. The time to lay a line out has a limit then, however long it is.
 */
export function clipLine<Style>(runs: readonly Run<Style>[]): readonly Run<Style>[] {
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  const dropped = length - headLength - tailLength;
  if (dropped <= tailLength) return runs;
  const clipped: Run<Style>[] = [];
  let at = 0;
  let isMarked = false;
  for (const { text, style } of runs) {
    const end = at + text.length;
    const head = text.slice(0, Math.max(0, headLength - at)).toWellFormed();
    const tail = text.slice(Math.max(0, headLength + dropped - at)).toWellFormed();
    if (at < headLength) clipped.push({ text: head, style });
    if (!isMarked && end > headLength) {
      clipped.push({ text: ` … ${formatCount(dropped)} characters not shown … `, style });
      isMarked = true;
    }
    if (end > headLength + dropped) clipped.push({ text: tail, style });
    at = end;
  }
  return clipped;
}

/** `wrapRuns` for a text without styles; each line of it begins a new row. */
export function wrapText(text: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => wrapRuns([{ text: line, style: null }], width))
    .map((row) => row.map((run) => run.text).join(''));
}

type Unit<Style> = { runs: Run<Style>[]; width: number; isBlank: boolean };

class RowBuilder<Style> {
  readonly #rows: Run<Style>[][] = [];
  #row: Run<Style>[] = [];
  width = 0;

  /** Rows that are complete. */
  get count(): number {
    return this.#rows.length;
  }

  add(runs: readonly Run<Style>[], width: number): void {
    for (const run of runs) {
      const last = this.#row.at(-1);
      if (last && last.style === run.style)
        this.#row[this.#row.length - 1] = { text: last.text + run.text, style: run.style };
      else if (run.text !== '') this.#row.push(run);
    }
    this.width += width;
  }

  next(): void {
    this.#rows.push(this.#row);
    this.#row = [];
    this.width = 0;
  }

  finish(): Run<Style>[][] {
    if (this.#row.length > 0 || this.#rows.length === 0) this.#rows.push(this.#row);
    return this.#rows;
  }
}

function addBroken<Style>(
  rows: RowBuilder<Style>,
  unit: { runs: readonly Run<Style>[]; width: number },
  limit: number,
): void {
  if (rows.width + unit.width <= limit) {
    rows.add(unit.runs, unit.width);
    return;
  }
  for (const { text, style } of unit.runs) {
    let rest = text;
    while (rest !== '') {
      let piece = takeWidth(rest, limit - rows.width);
      if (piece === '') {
        if (rows.width > 0) {
          rows.next();
          continue;
        }
        piece = graphemes(rest.slice(0, 64))[0] ?? rest;
      }
      rows.add([{ text: piece, style }], textWidth(piece));
      rest = rest.slice(piece.length);
    }
  }
}

const pieces = / +|[^ ]+/g;
const ascii = /^[\x20-\x7e]*$/;

/** What must stay together, and the blanks between. A word may go over several runs, e.g. when half of it is bold. */
function* units<Style>(runs: readonly Run<Style>[]): Generator<Unit<Style>> {
  let word: Unit<Style> | undefined;
  let end = '';
  for (const { text, style } of runs) {
    for (const [piece] of text.matchAll(pieces)) {
      if (piece.startsWith(' ')) {
        if (word) yield word;
        word = undefined;
        yield { runs: [{ text: piece, style }], width: piece.length, isBlank: true };
        continue;
      }
      for (const part of ascii.test(piece) ? [piece] : splitWide(piece)) {
        const width = textWidth(part);
        if (word && canBreakBetween(end, part)) {
          yield word;
          word = undefined;
        }
        if (word) {
          word.runs.push({ text: part, style });
          word.width += width;
        } else {
          word = { runs: [{ text: part, style }], width, isBlank: false };
        }
        end = part;
      }
    }
  }
  if (word) yield word;
}

/** Each wide character alone, narrow ones together. */
function splitWide(word: string): string[] {
  const parts: string[] = [];
  let narrow = '';
  for (const character of graphemes(word)) {
    if (textWidth(character) < 2) {
      narrow += character;
      continue;
    }
    if (narrow !== '') parts.push(narrow);
    narrow = '';
    parts.push(character);
  }
  if (narrow !== '') parts.push(narrow);
  return parts;
}

/** Marks that must not begin a row, and such as must not end one. */
const noStart =
  /^[!%),.:;?\]}’”…、。〉》」』】〕〗〙〛！％），．：；？］｝～ー々ゝゞぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const noEnd = /[([{‘“〈《「『【〔〖〘〚（［｛]$/u;

function canBreakBetween(before: string, after: string): boolean {
  return (isWide(before) || isWide(after)) && !noStart.test(after) && !noEnd.test(before);
}

function isWide(part: string): boolean {
  return !ascii.test(part) && textWidth(part) >= 2 && graphemes(part).length === 1;
}
