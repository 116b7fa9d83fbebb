import { withLineEnds } from '#lib/text-file.ts';
import type { SameEnds } from './diff-view.ts';
import { looseMatch, type Tolerance } from './loose-match.ts';

type Replacement = {
  text: string;
  /** The file's main line end, for inserted breaks where the replaced text has none. */
  eol: '\n' | '\r\n';
  hasBom: boolean;
  oldText: string;
  newText: string;
  replaceAll: boolean;
};

export type ReplaceOutcome =
  /** `tolerance`: the old text did not stand there exactly, but for this. */
  | {
      kind: 'replaced';
      text: string;
      places: number;
      firstLine: number;
      same: SameEnds;
      tolerance?: Tolerance;
    }
  | { kind: 'not_found' }
  /** `lines` are those of the first places; `isMore` when there are others. */
  | { kind: 'not_unique'; lines: number[]; isMore: boolean; isLoose?: true }
  | { kind: 'empty_old' }
  | { kind: 'no_change' };

const maxPlaces = 10;

/**
 * Replaces literal text by literal text. LF and CRLF count as equal; inserted line breaks take the style of the
 * replaced span, else of the file; nothing outside the span changes. Without `replaceAll` there must be exactly
 * one place, overlapping ones counted. A text that is not there is looked for more loosely, see `looseMatch`.
 */
export function replaceText(options: Replacement): ReplaceOutcome {
  const source = plainSource(options.text);
  const { oldText, newText } = withoutSentBom(options, source.plain);
  const wanted = withLineEnds(oldText, '\n');
  if (wanted === '') return { kind: 'empty_old' };
  if (withLineEnds(newText, '\n') === wanted) return { kind: 'no_change' };
  // Half of a pair would match inside a whole character.
  if (!wanted.isWellFormed()) return { kind: 'not_found' };
  const first = source.plain.indexOf(wanted);
  if (first === -1) return replaceLoosely(options, { source, wanted, newText: withLineEnds(newText, '\n') });
  if (!options.replaceAll && source.plain.indexOf(wanted, first + 1) !== -1)
    return { kind: 'not_unique', ...placesOf(source.plain, wanted) };

  let result = '';
  let copied = 0;
  let places = 0;
  let firstStart = 0;
  for (let at = first; at !== -1; at = source.plain.indexOf(wanted, at + wanted.length)) {
    const start = source.originalIndex(at);
    const end = source.originalIndex(at + wanted.length);
    if (places === 0) firstStart = start;
    result += options.text.slice(copied, start);
    result += withLineEnds(newText, lineEndOf(options.text.slice(start, end)) ?? options.eol);
    copied = end;
    places += 1;
    if (!options.replaceAll) break;
  }
  const text = result + options.text.slice(copied);
  const same = { head: firstStart, tail: options.text.length - copied };
  return { kind: 'replaced', text, places, firstLine: lineNumberAt(source.plain, first), same };
}

function replaceLoosely(
  { text, eol }: Replacement,
  { source, wanted, newText }: { source: PlainSource; wanted: string; newText: string },
): ReplaceOutcome {
  const { plain } = source;
  const found = looseMatch(plain, { oldText: wanted, newText });
  switch (found.kind) {
    case 'none':
      return { kind: 'not_found' };
    case 'several': {
      const lines = [...new Set(found.starts.map((start) => lineNumberAt(plain, start)))];
      const isMore = lines.length > maxPlaces;
      return { kind: 'not_unique', lines: lines.slice(0, maxPlaces), isMore, isLoose: true };
    }
    case 'one': {
      const { place, tolerance } = found;
      const start = source.originalIndex(place.start);
      const end = source.originalIndex(place.end);
      const put = withLineEnds(place.newText, lineEndOf(text.slice(start, end)) ?? eol);
      const firstLine = lineNumberAt(plain, place.start);
      const replaced = text.slice(0, start) + put + text.slice(end);
      if (replaced === text) return { kind: 'no_change' };
      const same = { head: start, tail: text.length - end };
      return { kind: 'replaced', text: replaced, places: 1, firstLine, same, tolerance };
    }
  }
}

type PlainSource = { plain: string; originalIndex(index: number): number };

/** The text with LF only, and where its characters lie in the original. Indexes must be asked in rising order. */
function plainSource(text: string): PlainSource {
  if (!text.includes('\r\n')) return { plain: text, originalIndex: (index: number) => index };
  const plain = text.replaceAll('\r\n', '\n');
  let removed = 0;
  let next = text.indexOf('\r\n');
  const originalIndex = (index: number): number => {
    // The pair at `next` is one character in `plain`, at `next - removed`.
    while (next !== -1 && next - removed < index) {
      removed += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return index + removed;
  };
  return { plain, originalIndex };
}

/** The model never sees a BOM; one that it sends all the same means the start of the file. */
function withoutSentBom({ hasBom, oldText, newText }: Replacement, plain: string) {
  const bom = '\ufeff';
  if (!hasBom || !oldText.startsWith(bom) || plain.includes(bom)) return { oldText, newText };
  return { oldText: oldText.slice(1), newText: newText.startsWith(bom) ? newText.slice(1) : newText };
}

function lineEndOf(span: string): '\n' | '\r\n' | undefined {
  if (span.includes('\r\n')) return '\r\n';
  return span.includes('\n') ? '\n' : undefined;
}

function placesOf(plain: string, wanted: string): { lines: number[]; isMore: boolean } {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) {
    line += lineEndsBetween(plain, counted, at);
    counted = at;
    if (line === lines.at(-1)) continue;
    if (lines.length === maxPlaces) return { lines, isMore: true };
    lines.push(line);
  }
  return { lines, isMore: false };
}

function lineNumberAt(text: string, index: number): number {
  return 1 + lineEndsBetween(text, 0, index);
}

function lineEndsBetween(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1))
    number += 1;
  return number;
}
