import type { Word, WordPart } from './parse.ts';

/**
 * A word as the program will get it, as far as the text tells: `literal` is one argument with exactly `value`;
 * `glob` is one or more arguments that begin with `head`; `dynamic` is anything, known only when it runs.
 */
export type ShellWord =
  | { kind: 'literal'; source: string; value: string }
  | {
      kind: 'glob';
      source: string;
      pattern: string;
      head: string;
      /** It stands for exactly one argument: the value of a variable in quotes. */
      isSingle?: true;
      /** Set when it stands for files anywhere below the folder `head`. */
      tree?: TreeNames;
    }
  | {
      kind: 'dynamic';
      source: string;
      head: string;
      fragments: readonly string[];
      variables: readonly string[];
      /** Exactly one argument, whatever its value is. */
      isSingle?: true;
    };

/** Which files below a folder a word stands for. */
export type TreeNames = {
  /** Patterns that their last names fit; empty for all. */
  names: readonly string[];
  /** False when files whose names begin with a dot are left out. */
  hasHidden: boolean;
  /** Names of folders below it that are left out. */
  without?: readonly string[];
  /** A search shows only lines that fit this; without it all that is in the files may be shown. */
  search?: string | undefined;
  /** Nothing of what is in the files is shown: they are counted, listed, hashed. */
  isHidden?: true;
  /** Each file is opened by a program of its own, which follows a link that has such a name. */
  isOpened?: true;
  /** Names with blanks or quotes in them would come as other words. */
  isSplit?: true;
  /** Only what git keeps. */
  isTracked?: true;
};

/** What a variable stands for: one value, or any file that fits a pattern. */
export type KnownValue = string | { pattern: string; head: string };

/** Variables whose values are known before the command runs. */
export type KnownVariables = ReadonlyMap<string, KnownValue>;

/** More than this many arguments from one brace expansion are not followed. */
const maxBraceWords = 64;

/** One word of source; a brace expansion of literals gives several. */
export function readWord(word: Word, known: KnownVariables): ShellWord[] {
  const braces = expandBraces(word, known);
  if (braces) return braces;
  return [readPlainWord(word, known)];
}

/** The arguments as typed text, for messages and for what a rule compares. */
export function wordText(word: ShellWord): string {
  if (word.kind === 'literal') return word.value;
  return word.source;
}

export function literalWord(value: string): ShellWord {
  return { kind: 'literal', source: value, value };
}

type Piece =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'glob'; text: string; head: string; quoted: boolean }
  | { kind: 'unknown'; fragments: string[]; variables: string[]; quoted: boolean };

function readPlainWord(word: Word, known: KnownVariables): ShellWord {
  const source = word.text;
  // The program gets the name of a pipe; what runs behind it is judged on its own.
  const [only] = word.parts ?? [];
  if (word.parts?.length === 1 && only?.type === 'ProcessSubstitution' && only.operator === '<') {
    return { kind: 'literal', source, value: '/dev/null' };
  }
  const pieces = word.parts
    ? word.parts.flatMap((part) => piecesOf(part, known))
    : [{ kind: 'text' as const, text: word.value, quoted: false }];
  const tilde = expandTilde(source, pieces, known);
  return joinPieces(source, tilde);
}

function joinPieces(source: string, pieces: readonly Piece[]): ShellWord {
  let head = '';
  let text = '';
  let isHeadOpen = true;
  let hasGlob = false;
  const fragments: string[] = [];
  const variables: string[] = [];
  let isDynamic = false;
  let isSingle = true;
  for (const piece of pieces) {
    if (piece.kind !== 'text') isSingle &&= piece.quoted;
    if (piece.kind === 'unknown') {
      isDynamic = true;
      isHeadOpen = false;
      fragments.push(text, ...piece.fragments);
      variables.push(...piece.variables);
      text = '';
      continue;
    }
    text += piece.text;
    if (piece.kind === 'glob') {
      hasGlob = true;
      if (isHeadOpen) head += piece.head;
      isHeadOpen = false;
    } else if (isHeadOpen) head += piece.text;
  }
  if (isDynamic) {
    return {
      kind: 'dynamic',
      source,
      head,
      fragments: [...fragments, text].filter(Boolean),
      variables,
      ...(isSingle ? { isSingle: true as const } : {}),
    };
  }
  if (hasGlob)
    return { kind: 'glob', source, pattern: text, head, ...(isSingle ? { isSingle: true as const } : {}) };
  return { kind: 'literal', source, value: text };
}

function piecesOf(part: WordPart, known: KnownVariables, isQuoted = false): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [{ kind: 'text', text: part.value, quoted: false }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((child) =>
        piecesOf(child, known, true).map((piece) =>
          piece.kind === 'text' ? { ...piece, quoted: true } : piece,
        ),
      );
    case 'Glob':
      return [{ kind: 'glob', text: part.text, head: '', quoted: false }];
    case 'SimpleExpansion':
      return [variablePiece(part.text.slice(1), known, isQuoted)];
    case 'ParameterExpansion': {
      const { operation, prefix, index, parameter } = part;
      const keepsValue =
        !operation || (operation.type === 'Default' && ['-', ':-', '?', ':?'].includes(operation.operator));
      const isPlain = prefix === undefined && index === undefined && keepsValue;
      const piece = isPlain ? variablePiece(parameter, known, isQuoted) : undefined;
      if (piece && piece.kind !== 'unknown') return [piece];
      const quoted = isQuoted && parameter !== '@' && index === undefined && prefix !== '!';
      return [{ kind: 'unknown', fragments: operandTexts(part), variables: [parameter], quoted }];
    }
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return [{ kind: 'unknown', fragments: [], variables: [], quoted: isQuoted }];
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return [{ kind: 'unknown', fragments: [], variables: [], quoted: false }];
  }
}

function variablePiece(name: string, known: KnownVariables, isQuoted: boolean): Piece {
  const value = known.get(name);
  // Unquoted, a value with blanks or pattern signs would become something else than itself.
  const isKept = isQuoted || (typeof value === 'string' && /^[\w@%+=:,./-]+$/.test(value));
  if (value === undefined || !isKept) {
    return { kind: 'unknown', fragments: [], variables: [name], quoted: isQuoted && name !== '@' };
  }
  if (typeof value === 'string') return { kind: 'text', text: value, quoted: true };
  return { kind: 'glob', text: value.pattern, head: value.head, quoted: true };
}

/** What a default value holds may become part of the argument. */
function operandTexts(part: Extract<WordPart, { type: 'ParameterExpansion' }>): string[] {
  const { operation } = part;
  if (operation?.type !== 'Default') return [];
  return [operation.operand.value];
}

/** `~` and `~/x` mean the home folder when unquoted; `~name`, `~+`, `~-` are not followed. */
function expandTilde(source: string, pieces: Piece[], known: KnownVariables): Piece[] {
  const [first, ...rest] = pieces;
  if (first?.kind !== 'text' || first.quoted) return pieces;
  const assigned = /^[A-Za-z_]\w*\+?=/.exec(source)?.[0] ?? '';
  if (!source.startsWith('~', assigned.length)) {
    const hasLater = assigned !== '' && source.includes(':~');
    return hasLater
      ? [{ kind: 'unknown', fragments: [first.text], variables: [], quoted: false }, ...rest]
      : pieces;
  }
  const home = known.get('HOME');
  const isFollowed = typeof home === 'string';
  const tail = first.text.slice(assigned.length + 1);
  const isWhole = tail === '' && rest.length === 0;
  if (!isFollowed || !(isWhole || tail.startsWith('/'))) {
    return [{ kind: 'unknown', fragments: [first.text], variables: [], quoted: false }, ...rest];
  }
  return [{ kind: 'text', text: assigned + home + tail, quoted: true }, ...rest];
}

/** `a{b,c}d` with nothing but plain text in it; anything else stays one dynamic word. */
function expandBraces(word: Word, known: KnownVariables): ShellWord[] | undefined {
  const { parts } = word;
  if (!parts?.some((part) => part.type === 'BraceExpansion')) return undefined;
  let heads: Piece[][] = [[]];
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? braceChoices(part.text) : [piecesOf(part, known)];
    if (!choices || choices.length * heads.length > maxBraceWords) return undefined;
    heads = heads.flatMap((head) => choices.map((choice) => [...head, ...choice]));
  }
  return heads.map((pieces) => joinPieces(word.text, expandTilde(word.text, pieces, known)));
}

function braceChoices(text: string): Piece[][] | undefined {
  if (!/^\{[\w./@%+:,-]*,[\w./@%+:,-]*\}$/.test(text)) return undefined;
  return text
    .slice(1, -1)
    .split(',')
    .map((choice) => [{ kind: 'text', text: choice, quoted: false }]);
}
