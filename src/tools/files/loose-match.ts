import { type FoldedText, type Folding, foldText } from './folded-text.ts';
import { matchIndented } from './match-indented.ts';

/** What a text that was not found exactly may differ in and still be meant; tried in this order. */
export type Tolerance = 'trailing blanks' | 'indentation' | 'Unicode form' | 'quote style';

/** A place in a text, with what to put there. */
export type LoosePlace = { start: number; end: number; newText: string };

export type LooseOutcome =
  | { kind: 'none' }
  | { kind: 'several'; starts: number[] }
  | { kind: 'one'; tolerance: Tolerance; place: LoosePlace };

/** Beyond this a search that forgives costs more than a second look by the model. */
const maxChars = 5_000_000;
/** More places than this need not be named. */
const maxPlaces = 11;

const foldings: readonly (Folding & { tolerance: Tolerance })[] = [
  { tolerance: 'trailing blanks', unicode: false, signs: false },
  { tolerance: 'Unicode form', unicode: true, signs: false },
  { tolerance: 'quote style', unicode: true, signs: true },
];

/**
 * Looks for `oldText` in a text that does not hold it exactly. The first tolerance with any place decides: with one
 * place it is that, with more it must not be guessed. All texts have LF only.
 */
export function looseMatch(text: string, texts: { oldText: string; newText: string }): LooseOutcome {
  const { oldText } = texts;
  if (text.length > maxChars || oldText.length > text.length * 2 + 1_000 || oldText.trim() === '')
    return { kind: 'none' };
  for (const { tolerance, ...folding } of foldings) {
    const outcome = matchFolded(text, { ...texts, folding });
    if (outcome.length > 1) return { kind: 'several', starts: outcome.map(({ start }) => start) };
    const [place] = outcome;
    if (place) return { kind: 'one', tolerance, place };
    if (tolerance !== 'trailing blanks') continue;
    const indented = matchIndented(text, texts).slice(0, maxPlaces);
    if (indented.length > 1) return { kind: 'several', starts: indented.map(({ start }) => start) };
    if (indented[0]) return { kind: 'one', tolerance: 'indentation', place: indented[0] };
  }
  return { kind: 'none' };
}

function matchFolded(
  text: string,
  { oldText, newText, folding }: { oldText: string; newText: string; folding: Folding },
): LoosePlace[] {
  const isPlain = (folding.unicode || folding.signs) && isAscii(text) && isAscii(oldText);
  if (isPlain) return []; // The tolerance before has looked already.
  const source = foldText(text, folding);
  const wanted = foldText(oldText, folding);
  const places: LoosePlace[] = [];
  if (wanted.text.trim() === '') return places;
  for (let at = source.text.indexOf(wanted.text); at !== -1; at = source.text.indexOf(wanted.text, at + 1)) {
    const end = at + wanted.text.length;
    if (!isWhole(source, at, end)) continue;
    places.push(placeAt(source, at, { wanted, oldText, newText }));
    if (places.length === maxPlaces) break;
  }
  return places;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** It neither begins nor ends inside of a character. */
function isWhole({ starts }: FoldedText, start: number, end: number): boolean {
  return starts[start] !== starts[start - 1] && (end === starts.length || starts[end] !== starts[end - 1]);
}

/** What old and new text share stays as the file has it; only the rest between is replaced. */
function placeAt(
  source: FoldedText,
  at: number,
  { wanted, oldText, newText }: { wanted: FoldedText; oldText: string; newText: string },
): LoosePlace {
  const length = wanted.text.length;
  let shared = 0;
  while (shared < oldText.length && shared < newText.length && oldText[shared] === newText[shared])
    shared += 1;
  let head = 0;
  while (head < length && (wanted.ends[head] ?? 0) <= shared) head += 1;
  const headEnd = head === 0 ? 0 : (wanted.ends[head - 1] ?? 0);
  const room = Math.min(oldText.length, newText.length) - headEnd;
  let common = 0;
  while (common < room && oldText.at(-1 - common) === newText.at(-1 - common)) common += 1;
  let tail = length;
  while (tail > head && (wanted.starts[tail - 1] ?? 0) >= oldText.length - common) tail -= 1;
  const tailStart = tail === length ? oldText.length : (wanted.starts[tail] ?? oldText.length);
  const start = head === 0 ? source.starts[at] : source.ends[at + head - 1];
  const end = tail === length ? source.ends[at + length - 1] : source.starts[at + tail];
  return {
    start: start ?? 0,
    end: end ?? 0,
    newText: newText.slice(headEnd, newText.length - (oldText.length - tailStart)),
  };
}
