import { lineEnd, lineStart, nextGrapheme, previousGrapheme } from '../text-units.ts';
import { enclosing } from './brackets.ts';
import { isInIndent, lineNumbered } from './lines.ts';
import { tagAround } from './tags.ts';
import { type Token, tokenAt, tokensOf } from './words.ts';

/** What an object covers: from `from` up to, but not with, `to`. */
export type ObjectSpan = { readonly from: number; readonly to: number; readonly isLinewise?: boolean };

type Wanted = { readonly object: string; readonly isAround: boolean; readonly count: number };

const brackets: Readonly<Record<string, readonly [string, string]>> = {
  '(': ['(', ')'],
  ')': ['(', ')'],
  b: ['(', ')'],
  '[': ['[', ']'],
  ']': ['[', ']'],
  '{': ['{', '}'],
  '}': ['{', '}'],
  B: ['{', '}'],
  '<': ['<', '>'],
  '>': ['<', '>'],
};

export function objectAt(text: string, cursor: number, wanted: Wanted): ObjectSpan | undefined {
  const { object, isAround, count } = wanted;
  const pair = brackets[object];
  if (pair) return bracketObject(text, cursor, { pair, isAround, count });
  if (object === 'w' || object === 'W') return wordObject(text, cursor, wanted);
  if (object === 'p') return paragraphObject(text, cursor, wanted);
  if (object === 't') return tagAround(text, cursor, { isAround, count });
  return quoteObject(text, cursor, { quote: object, isAround });
}

function bracketObject(
  text: string,
  cursor: number,
  { pair, isAround, count }: { pair: readonly [string, string]; isAround: boolean; count: number },
): ObjectSpan | undefined {
  const found = enclosing(text, cursor, { open: pair[0], close: pair[1], times: count });
  if (!found) return undefined;
  if (isAround) return { from: found.start, to: found.end + 1 };
  // Brackets on lines of their own: what stands between is whole lines.
  const from = text.charAt(found.start + 1) === '\n' ? found.start + 2 : found.start + 1;
  const lineFrom = lineStart(text, found.end);
  const to = isInIndent(text, found.end) && lineFrom > found.start ? Math.max(from, lineFrom) : found.end;
  return { from: Math.min(from, to), to };
}

/** Runs of one line: a line feed ends them. */
function wordObject(
  text: string,
  cursor: number,
  { object, isAround, count }: Wanted,
): ObjectSpan | undefined {
  const tokens = tokensOf(text, object === 'W');
  const first = tokenAt(tokens, cursor);
  const here = tokens[first];
  if (!here || here.kind === 'newline') return { from: cursor, to: cursor };
  let last = first - 1;
  const takes = (wanted: (token: Token) => boolean): boolean => {
    const next = tokens[last + 1];
    if (!next || next.kind === 'newline' || !wanted(next)) return false;
    last += 1;
    return true;
  };
  const isBlank = (token: Token) => token.kind === 'blank';
  let hasBlankBehind = false;
  for (let left = count; left > 0; left -= 1) {
    if (!isAround) {
      if (!takes(() => true)) return undefined;
      continue;
    }
    const beganBlank = takes(isBlank);
    if (!takes((token) => !isBlank(token))) return undefined;
    hasBlankBehind = beganBlank || takes(isBlank);
  }
  const to = tokens[last]?.end ?? cursor;
  const before = tokens[first - 1];
  const isAtStart = before === undefined || lineStart(text, before.start) === before.start;
  const takesBefore = isAround && !hasBlankBehind && before?.kind === 'blank' && !isAtStart;
  return { from: takesBefore ? before.start : here.start, to };
}

function paragraphObject(text: string, cursor: number, { isAround, count }: Wanted): ObjectSpan | undefined {
  const isBlank = text.split('\n').map((line) => line.trim() === '');
  const row = text.slice(0, lineStart(text, cursor)).split('\n').length - 1;
  let first = row;
  while (first > 0 && isBlank[first - 1] === isBlank[row]) first -= 1;
  let next = first;
  const skip = (): boolean => {
    if (next >= isBlank.length) return false;
    const kind = isBlank[next];
    while (next < isBlank.length && isBlank[next] === kind) next += 1;
    return true;
  };
  for (let left = count; left > 0; left -= 1) {
    if (!skip()) return undefined;
    if (!isAround || skip()) continue;
    if (isBlank[row] || left > 1) return undefined;
    while (first > 0 && isBlank[first - 1]) first -= 1;
  }
  const from = lineNumbered(text, first + 1);
  return { from, to: lineEnd(text, lineNumbered(text, next)), isLinewise: true };
}

function quoteObject(
  text: string,
  cursor: number,
  { quote, isAround }: { quote: string; isAround: boolean },
): ObjectSpan | undefined {
  const start = lineStart(text, cursor);
  const line = text.slice(start, lineEnd(text, cursor));
  const pair = quotePair(line, cursor - start, quote);
  if (!pair) return undefined;
  const { open, close } = pair;
  if (!isAround) return { from: start + open + 1, to: start + close };
  const behind = /^[ \t]*/.exec(line.slice(close + 1))?.[0].length ?? 0;
  const ahead = behind > 0 ? 0 : (/[ \t]*$/.exec(line.slice(0, open))?.[0].length ?? 0);
  return { from: start + open - ahead, to: start + close + 1 + behind };
}

function quotePair(line: string, at: number, quote: string): { open: number; close: number } | undefined {
  if (line.charAt(at) === quote) {
    // Counted from the start of the line, since the quote may open or close.
    for (let open = nextQuote(line, 0, quote); open !== undefined && open <= at; ) {
      const close = nextQuote(line, open + 1, quote);
      if (close === undefined) return undefined;
      if (at <= close) return { open, close };
      open = nextQuote(line, close + 1, quote);
    }
    return undefined;
  }
  let open: number | undefined;
  for (let index = at - 1; index >= 0 && open === undefined; index -= 1)
    if (line.charAt(index) === quote && !isEscaped(line, index)) open = index;
  open ??= nextQuote(line, at, quote);
  if (open === undefined) return undefined;
  const close = nextQuote(line, open + 1, quote);
  return close === undefined ? undefined : { open, close };
}

function nextQuote(line: string, from: number, quote: string): number | undefined {
  for (let index = from; index < line.length; index += 1) {
    if (line.charAt(index) === '\\') index += 1;
    else if (line.charAt(index) === quote) return index;
  }
  return undefined;
}

function isEscaped(line: string, index: number): boolean {
  const slashes = /\\*$/.exec(line.slice(0, index))?.[0].length ?? 0;
  return slashes % 2 === 1;
}

/** For a selection that is wider than one character: the next object behind its end. */
export function objectBehind(text: string, cursor: number, wanted: Wanted): number | undefined {
  if (wanted.object !== 'w' && wanted.object !== 'W' && wanted.object !== 'p') return undefined;
  const next = wanted.object === 'p' ? lineEnd(text, cursor) + 1 : nextGrapheme(text, cursor);
  if (next > text.length || (wanted.object !== 'p' && next >= text.length)) return undefined;
  const found = objectAt(text, next, wanted);
  return found && Math.max(cursor, found.isLinewise ? found.to : previousGrapheme(text, found.to));
}
