import { graphemeSegmenter } from '#lib/graphemes.ts';
import { isChipAt, lineStart, splitUnspaced } from '../text-units.ts';

/** A run of characters of one kind. A line feed and a folded paste stand alone. */
export type Token = {
  readonly start: number;
  readonly end: number;
  /** Where its last character begins. */
  readonly last: number;
  readonly kind: 'blank' | 'newline' | 'word' | 'mark';
};

const wordCharacter = /^[\p{L}\p{N}\p{M}_]/u;

/** The runs of a text in order. `isBig`: all that is not blank is one kind. */
export function tokensOf(text: string, isBig: boolean): readonly Token[] {
  const tokens: Token[] = [];
  for (const { segment, index } of graphemeSegmenter.segment(text)) {
    const kind = kindOf(segment, isBig);
    const end = index + segment.length;
    const open = tokens.at(-1);
    const isAlone = kind === 'newline' || isChipAt(segment, 0);
    const joins = open?.kind === kind && !isAlone && !isChipAt(text, open.start);
    if (open && joins) tokens[tokens.length - 1] = { ...open, end, last: index };
    else tokens.push({ start: index, end, last: index, kind });
  }
  return isBig
    ? tokens
    : tokens.flatMap((token) => (token.kind === 'word' ? unspaced(text, token) : [token]));
}

function kindOf(grapheme: string, isBig: boolean): Token['kind'] {
  if (grapheme === '\n') return 'newline';
  if (/^\s/.test(grapheme)) return 'blank';
  return isBig || wordCharacter.test(grapheme) ? 'word' : 'mark';
}

/** In scripts that write no blanks, a run of letters holds many words. */
function unspaced(text: string, token: Token): Token[] {
  return splitUnspaced(text.slice(token.start, token.end)).map(({ start, end, last }) => ({
    start: token.start + start,
    end: token.start + end,
    last: token.start + last,
    kind: token.kind,
  }));
}

/** Index of the token that holds the offset; the number of tokens when it is the end of the text. */
export function tokenAt(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function isSolid(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'mark';
}

/** An empty line counts as a word for most moves. */
export function isEmptyLine(text: string, token: Token): boolean {
  return token.kind === 'newline' && lineStart(text, token.start) === token.start;
}
