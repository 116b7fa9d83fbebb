import { graphemeSegmenter } from '#lib/graphemes.ts';

const wordCharacter = /^[\p{L}\p{N}\p{M}_]/u;
const unspacedScript =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A folded paste stands in the text as one character from here on (plane 16, private use). */
const firstChip = 0x10_0000;
const lastChip = 0x10_fffd;

export function chipCharacter(index: number): string {
  return String.fromCodePoint(firstChip + (index % (lastChip - firstChip + 1)));
}

export function isChipAt(text: string, offset: number): boolean {
  const code = text.codePointAt(offset) ?? 0;
  return code >= firstChip && code <= lastChip;
}

/** Every chip character of a text. */
export const chipCharacters = /[\u{100000}-\u{10fffd}]/gu;

export function previousGrapheme(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (text.charAt(offset - 1) === '\n') return offset - 1;
  if (text.charCodeAt(offset - 1) < 0x80 && !(text.charCodeAt(offset - 2) >= 0x80)) return offset - 1;
  const start = lineStart(text, offset);
  return (
    start + (graphemeSegmenter.segment(lineAround(text, offset)).containing(offset - 1 - start)?.index ?? 0)
  );
}

export function nextGrapheme(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (text.charCodeAt(offset) < 0x80 && !(text.charCodeAt(offset + 1) >= 0x80)) return offset + 1;
  const start = lineStart(text, offset);
  const piece = graphemeSegmenter.segment(lineAround(text, offset)).containing(offset - start);
  return piece ? start + piece.index + piece.segment.length : offset + 1;
}

/** The nearest grapheme boundary at or after `offset`. */
export function snapForward(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length) return Math.min(Math.max(offset, 0), text.length);
  return nextGrapheme(text, previousGrapheme(text, offset));
}

export function previousWord(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isWordAt(text, previousGrapheme(text, start))) {
    start = previousGrapheme(text, start);
    if (isChipAt(text, start)) return start;
  }
  const end = start;
  while (start > 0 && isWordAt(text, previousGrapheme(text, start))) start = previousGrapheme(text, start);
  return unspacedStart(text, start, end);
}

export function nextWord(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isWordAt(text, end)) {
    const isChip = isChipAt(text, end);
    end = nextGrapheme(text, end);
    if (isChip) return end;
  }
  const start = end;
  while (end < text.length && isWordAt(text, end)) end = nextGrapheme(text, end);
  return unspacedEnd(text, start, end);
}

/** To the start of the blank-separated word on the left. */
export function previousBlankWord(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) {
    start = previousGrapheme(text, start);
    if (isChipAt(text, start)) return start;
  }
  return start;
}

export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function lineAround(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), lineEnd(text, offset));
}

function isWordAt(text: string, offset: number): boolean {
  return wordCharacter.test(text.slice(offset, offset + 2));
}

let segmenter: Intl.Segmenter | undefined;

function wordSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return segmenter;
}

/** The words of a run of letters: one, or many in a script that writes no blanks. `last`: where the last character of each begins. */
export function splitUnspaced(run: string): readonly { start: number; end: number; last: number }[] {
  const words = unspacedScript.test(run)
    ? Array.from(wordSegmenter().segment(run), ({ index, segment }) => ({
        start: index,
        end: index + segment.length,
      }))
    : [{ start: 0, end: run.length }];
  return words.map((word) => ({ ...word, last: previousGrapheme(run, word.end) }));
}

/** In scripts that write no blanks, a run of letters holds many words. */
function unspacedStart(text: string, start: number, end: number): number {
  const run = text.slice(start, end);
  if (!unspacedScript.test(run)) return start;
  return (
    start +
    (wordSegmenter()
      .segment(run)
      .containing(run.length - 1)?.index ?? 0)
  );
}

function unspacedEnd(text: string, start: number, end: number): number {
  const run = text.slice(start, end);
  if (!unspacedScript.test(run)) return end;
  const first = wordSegmenter().segment(run).containing(0);
  return first ? start + first.segment.length : end;
}
