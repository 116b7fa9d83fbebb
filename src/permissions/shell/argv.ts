import type { CheckId } from '../checks.ts';
import { type ShellWord, wordText } from './words.ts';

/** A command cannot be told to only read: why, and because of which piece. */
export type Refusal = { check: CheckId; source: string };

/**
 * Which options of a program are known to only read. What is not listed is refused, also an abbreviation.
 * Kinds of value: plain text, or the name of a file that is read (`<`).
 */
export type OptionTable = {
  /** Short options without a value, one letter each. */
  flags?: string;
  /** Short options with a value, attached or in the next word. */
  values?: string;
  /** Short options whose value, attached or in the next word, names a file that is read. */
  files?: string;
  /** Short options whose value may only be attached, as `-n5` where the value may be missing. */
  attached?: string;
  /** Long options: `all`, `width=` with a value, `color?` with an optional one after `=`, `file<` with a file. */
  long?: readonly string[];
  /** Single-dash words in full, as `-maxdepth`; they take no value. */
  words?: readonly string[];
  /** `-5` means a count. */
  numeric?: boolean;
  /** The first operand ends the options (`nice`, `timeout`, `command`). */
  stopsAtOperand?: boolean;
  /** A leading pattern sign cannot do harm: no option of the program writes or runs anything. */
  anyGlob?: boolean;
  /** Arguments that are not known cannot do harm either: none is a file or more than a text. */
  anyText?: boolean;
  /** It never shows what is in the files that it reads. */
  hidesText?: boolean;
};

type ReadOption = { name: string; value: ShellWord | undefined };

export type ParsedArguments = {
  options: readonly ReadOption[];
  operands: readonly ShellWord[];
  /** Files that options name for reading. */
  files: readonly ShellWord[];
};

/** Reads arguments the way getopt_long does. Gives a refusal for the first thing that is not in the table. */
export function readArguments(words: readonly ShellWord[], table: OptionTable): ParsedArguments | Refusal {
  const options: ReadOption[] = [];
  const operands: ShellWord[] = [];
  const files: ShellWord[] = [];
  let isEnded = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as ShellWord;
    const isOperandOnly = isEnded || (table.stopsAtOperand && operands.length > 0);
    if (word.kind === 'dynamic') {
      if (!table.anyText) return { check: 'injection', source: word.source };
      operands.push(word);
      continue;
    }
    if (isOperandOnly) {
      operands.push(word);
      continue;
    }
    if (word.kind === 'glob') {
      const isOpen = word.head === '' || word.tree?.isSplit === true;
      if (word.head.startsWith('-') || (isOpen && !table.anyGlob)) {
        return { check: 'glob', source: word.source };
      }
      operands.push(word);
      continue;
    }
    const text = word.value;
    if (text === '--') {
      isEnded = true;
      continue;
    }
    if (!text.startsWith('-') || text === '-') {
      operands.push(word);
      continue;
    }
    if (table.numeric && /^-\d+$/.test(text)) continue;
    if (table.words?.includes(text)) {
      options.push({ name: text, value: undefined });
      continue;
    }
    const next = words[index + 1];
    const read = text.startsWith('--')
      ? readLong(word, text, next, table)
      : readShort(word, text, next, table);
    if ('check' in read) return read;
    options.push(...read.options);
    files.push(...read.files);
    if (read.tookNext) index += 1;
  }
  return { options, operands, files };
}

type OneWord = { options: ReadOption[]; files: ShellWord[]; tookNext: boolean };

function readLong(
  word: ShellWord,
  text: string,
  next: ShellWord | undefined,
  table: OptionTable,
): OneWord | Refusal {
  const equals = text.indexOf('=');
  const name = text.slice(2, equals < 0 ? undefined : equals);
  const entry = table.long?.find((known) => known.replace(/[=?<]$/, '') === name);
  if (entry === undefined) return { check: 'option', source: wordText(word) };
  const kind = entry.at(-1);
  const takesValue = kind === '=' || kind === '?' || kind === '<';
  if (equals >= 0) {
    if (!takesValue) return { check: 'option', source: wordText(word) };
    const value = { ...word, kind: 'literal' as const, value: text.slice(equals + 1) };
    return { options: [{ name: `--${name}`, value }], files: kind === '<' ? [value] : [], tookNext: false };
  }
  if (kind !== '=' && kind !== '<') {
    return { options: [{ name: `--${name}`, value: undefined }], files: [], tookNext: false };
  }
  return withNext(`--${name}`, word, next, kind === '<');
}

function readShort(
  word: ShellWord,
  text: string,
  next: ShellWord | undefined,
  table: OptionTable,
): OneWord | Refusal {
  const options: ReadOption[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const rest = text.slice(at + 1);
    const name = `-${letter}`;
    if (table.flags?.includes(letter)) {
      options.push({ name, value: undefined });
      continue;
    }
    if (table.attached?.includes(letter)) {
      options.push({ name, value: rest === '' ? undefined : { kind: 'literal', source: rest, value: rest } });
      return { options, files: [], tookNext: false };
    }
    const isFile = table.files?.includes(letter) ?? false;
    if (!isFile && !table.values?.includes(letter)) return { check: 'option', source: wordText(word) };
    if (rest === '') {
      const read = withNext(name, word, next, isFile);
      return 'check' in read ? read : { ...read, options: [...options, ...read.options] };
    }
    const value: ShellWord = { kind: 'literal', source: rest, value: rest };
    return { options: [...options, { name, value }], files: isFile ? [value] : [], tookNext: false };
  }
  return { options, files: [], tookNext: false };
}

function withNext(
  name: string,
  word: ShellWord,
  next: ShellWord | undefined,
  isFile: boolean,
): OneWord | Refusal {
  // A pattern could expand to several words, of which only the first is the value.
  if (next?.kind !== 'literal') return { check: 'option', source: wordText(word) };
  return { options: [{ name, value: next }], files: isFile ? [next] : [], tookNext: true };
}
