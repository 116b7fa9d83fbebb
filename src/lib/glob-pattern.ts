/**
 * A glob as a test of relative paths with `/`. `*` and `?` stay inside a name, `**` crosses folders, `[…]` is a
 * set, `{a,b}` are choices. A pattern without `/` matches names at any depth, one that starts with `/` or `./` does
 * not. Case counts. No regular expression: the time is bounded by length of pattern times length of path.
 */
export function globTest(pattern: string): (file: string) => boolean {
  const alternatives = expandBraces(pattern).map(compilePath);
  return (file) => {
    const names = file.split('/');
    return alternatives.some((parts) => matchesPath(parts, names));
  };
}

/** The folders that a glob starts with literally, and the rest: `src/app/*.ts` is `src/app` and `*.ts`. */
export function splitGlob(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[{\\]/.test(part));
  const at = first === -1 ? parts.length - 1 : first;
  const folder = parts.slice(0, at).join('/');
  return { folder: folder === '' && pattern.startsWith('/') ? '/' : folder, rest: parts.slice(at).join('/') };
}

type Token =
  | { kind: 'character'; character: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'set'; isNegated: boolean; ranges: readonly (readonly [string, string])[] };

type Part = { kind: 'folders' } | { kind: 'literal'; name: string } | { kind: 'name'; tokens: Token[] };

const maxAlternatives = 100;

/** `a{b,c{d,e}}` is `ab`, `acd`, `ace`. A brace without its partner is an ordinary character. */
function expandBraces(pattern: string): string[] {
  const group = findGroup(pattern);
  if (!group) return [pattern];
  const { start, end, choices } = group;
  const rests = expandBraces(pattern.slice(end + 1));
  const heads = choices.flatMap(expandBraces);
  return heads
    .flatMap((head) => rests.map((rest) => pattern.slice(0, start) + head + rest))
    .slice(0, maxAlternatives);
}

function findGroup(pattern: string): { start: number; end: number; choices: string[] } | undefined {
  const start = pattern.search(/(?<!\\)\{/);
  if (start === -1) return undefined;
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    const isEnd = depth === 0;
    if (!isEnd && !(character === ',' && depth === 1)) continue;
    choices.push(pattern.slice(from, at));
    from = at + 1;
    if (isEnd) return { start, end: at, choices };
  }
  return undefined;
}

function compilePath(pattern: string): Part[] {
  const clean = pattern.replace(/^(\.?\/)+/, '');
  const isAnchored = clean !== pattern;
  const whole = clean.endsWith('/') ? `${clean}**` : clean;
  const names = whole.split('/').filter((name) => name !== '');
  const parts = names.map(compileName);
  return names.length === 1 && !isAnchored ? [{ kind: 'folders' }, ...parts] : parts;
}

function compileName(name: string): Part {
  if (name === '**') return { kind: 'folders' };
  if (!/[*?[\\]/.test(name)) return { kind: 'literal', name };
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const character = name.charAt(at);
    const set = character === '[' ? readSet(name, at) : undefined;
    if (set) {
      tokens.push(set.token);
      at = set.end;
    } else if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '\\' && at + 1 < name.length) {
      at += 1;
      tokens.push({ kind: 'character', character: name.charAt(at) });
    } else tokens.push({ kind: 'character', character });
  }
  return { kind: 'name', tokens };
}

function readSet(name: string, start: number): { token: Token; end: number } | undefined {
  const isNegated = name.charAt(start + 1) === '!' || name.charAt(start + 1) === '^';
  const first = start + (isNegated ? 2 : 1);
  const end = name.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges: [string, string][] = [];
  for (let at = first; at < end; at += 1) {
    const isRange = name.charAt(at + 1) === '-' && at + 2 < end;
    ranges.push([name.charAt(at), name.charAt(isRange ? at + 2 : at)]);
    if (isRange) at += 2;
  }
  return { token: { kind: 'set', isNegated, ranges }, end };
}

/** After a mismatch only the last `**` has to take more: an earlier one could not help. */
function matchesPath(parts: readonly Part[], names: readonly string[]): boolean {
  return matchesSequence(parts, names.length, {
    isStar: (part) => part.kind === 'folders',
    matches: (part, at) => matchesName(part, names[at] ?? ''),
  });
}

function matchesName(part: Part, name: string): boolean {
  if (part.kind === 'folders') return true;
  if (part.kind === 'literal') return part.name === name;
  return matchesSequence(part.tokens, name.length, {
    isStar: (token) => token.kind === 'star',
    matches: (token, at) => matchesCharacter(token, name.charAt(at)),
  });
}

function matchesCharacter(token: Token, character: string): boolean {
  if (token.kind === 'character') return token.character === character;
  if (token.kind !== 'set') return true;
  return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.isNegated;
}

type SequenceRules<Item> = { isStar(item: Item): boolean; matches(item: Item, at: number): boolean };

function matchesSequence<Item>(items: readonly Item[], length: number, rules: SequenceRules<Item>): boolean {
  let item = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < length) {
    const current = items[item];
    if (current !== undefined && rules.isStar(current)) {
      star = item;
      starAt = at;
      item += 1;
    } else if (current !== undefined && rules.matches(current, at)) {
      item += 1;
      at += 1;
    } else if (star !== -1) {
      starAt += 1;
      at = starAt;
      item = star + 1;
    } else return false;
  }
  return items.slice(item).every((rest) => rules.isStar(rest));
}
