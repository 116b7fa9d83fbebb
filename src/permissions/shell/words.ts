import type { Word, WordPart } from './parse.ts';

/**
 * A word as the program will get it, as far as the text tells: `literal` is one argument with exactly `value`;
 * `glob` is one or more arguments that begin with `head`; `dynamic` is anything, known only when it runs.
 */
export type ShellWord =
  | { kind: 'literal'; source: string; value: string }
  | { kind: 'glob'; source: string; pattern: string; head: string }
  | {
      kind: 'dynamic';
      source: string;
      head: string;
      fragments: readonly string[];
      variables: readonly string[];
    };

/** Variables whose values are known before the command runs. */
export type KnownVariables = ReadonlyMap<string, string>;

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
  | { kind: 'glob'; text: string }
  | { kind: 'unknown'; fragments: string[]; variables: string[] };

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
  for (const piece of pieces) {
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
      isHeadOpen = false;
    } else if (isHeadOpen) head += piece.text;
  }
  if (isDynamic) {
    return { kind: 'dynamic', source, head, fragments: [...fragments, text].filter(Boolean), variables };
  }
  if (hasGlob) return { kind: 'glob', source, pattern: text, head };
  return { kind: 'literal', source, value: text };
}

function piecesOf(part: WordPart, known: KnownVariables): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [{ kind: 'text', text: part.value, quoted: false }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((child) =>
        piecesOf(child, known).map((piece) => (piece.kind === 'text' ? { ...piece, quoted: true } : piece)),
      );
    case 'Glob':
      return [{ kind: 'glob', text: part.text }];
    case 'SimpleExpansion':
      return [variablePiece(part.text.slice(1), known)];
    case 'ParameterExpansion': {
      const { operation, prefix, index, parameter } = part;
      const keepsValue =
        !operation || (operation.type === 'Default' && ['-', ':-', '?', ':?'].includes(operation.operator));
      const isPlain = prefix === undefined && index === undefined && keepsValue;
      const piece = isPlain ? variablePiece(parameter, known) : undefined;
      if (piece?.kind === 'text') return [piece];
      return [{ kind: 'unknown', fragments: operandTexts(part), variables: [parameter] }];
    }
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return [{ kind: 'unknown', fragments: [], variables: [] }];
  }
}

function variablePiece(name: string, known: KnownVariables): Piece {
  const value = known.get(name);
  // Unquoted, a value with blanks or pattern signs would become something else than itself.
  if (value === undefined || !/^[\w@%+=:,./-]+$/.test(value)) {
    return { kind: 'unknown', fragments: [], variables: [name] };
  }
  return { kind: 'text', text: value, quoted: true };
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
    return hasLater ? [{ kind: 'unknown', fragments: [first.text], variables: [] }, ...rest] : pieces;
  }
  const home = known.get('HOME');
  const tail = first.text.slice(assigned.length + 1);
  const isWhole = tail === '' && rest.length === 0;
  if (home === undefined || !(isWhole || tail.startsWith('/'))) {
    return [{ kind: 'unknown', fragments: [first.text], variables: [] }, ...rest];
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
