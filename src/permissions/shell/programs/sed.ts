import { wordList } from '../../word-list.ts';
import { readArguments } from '../argv.ts';
import { type ShellWord, wordText } from '../words.ts';
import type { Program, ReadVerdict } from './program.ts';

const table = {
  flags: 'nErsuz',
  values: 'el',
  long: wordList(`
    quiet silent regexp-extended expression= line-length= separate unbuffered null-data posix help
    version
  `),
};

/** sed that only prints: every command of its script is read and must be one without effects. */
export const sed: Program = { names: ['sed', 'gsed'], judge: judgeSed };

function judgeSed(args: readonly ShellWord[]): ReadVerdict {
  const parsed = readArguments(args, table);
  if ('check' in parsed) return parsed;
  const scripts = parsed.options.flatMap(({ name, value }) =>
    (name === '-e' || name === '--expression') && value ? [value] : [],
  );
  const operands = [...parsed.operands];
  if (scripts.length === 0) {
    const script = operands.shift();
    if (!script) return { reads: [] };
    scripts.push(script);
  }
  for (const script of scripts) {
    if (script.kind !== 'literal' || !onlyPrints(script.value)) {
      return { check: 'sub-language', source: wordText(script) };
    }
  }
  return { reads: operands.filter((word) => word.source !== '-') };
}

const plainCommands = '=dDgGhHnNpPxz';
const numberedCommands = 'qQl';

/** False for anything that writes, reads another file, runs something, or is not followed here. */
export function onlyPrints(script: string): boolean {
  let at = 0;
  let depth = 0;
  const rest = () => script.slice(at);
  const take = (pattern: RegExp): boolean => {
    const found = pattern.exec(rest());
    if (!found) return false;
    at += found[0].length;
    return true;
  };
  while (at < script.length) {
    if (take(/^[\s;]+/)) continue;
    if (take(/^#[^\n]*/)) continue;
    if (take(/^\}/)) {
      depth -= 1;
      if (depth < 0 || !take(/^[ \t]*(?=[;\n}#]|$)/)) return false;
      continue;
    }
    const skipped = skipAddresses(script, at);
    if (skipped === undefined) return false;
    at = skipped;
    const command = script.charAt(at);
    at += 1;
    if (command === '{') {
      depth += 1;
      continue;
    }
    if (command === 's' || command === 'y') {
      const end = skipSections(script, at, command === 's');
      if (end === undefined) return false;
      at = end;
      if (!take(command === 's' ? /^[gpiImM0-9]*/ : /^/)) return false;
    } else if (numberedCommands.includes(command) && command !== '') take(/^[ \t]*\d*/);
    else if (!plainCommands.includes(command) || command === '') return false;
    if (!take(/^[ \t]*(?=[;\n}#]|$)/)) return false;
  }
  return depth === 0;
}

/** The place after `addr1,addr2!`; undefined when an address is not read. */
function skipAddresses(script: string, from: number): number | undefined {
  let at = from;
  const first = skipAddress(script, at);
  if (first === undefined) return undefined;
  at = skipBlanks(script, first);
  if (first > from && script.charAt(at) === ',') {
    at = skipBlanks(script, at + 1);
    const offset = /^[+~]\d+/.exec(script.slice(at))?.[0];
    const second = offset ? at + offset.length : skipAddress(script, at);
    if (second === undefined || second === at) return undefined;
    at = skipBlanks(script, second);
  }
  while (script.charAt(at) === '!') at = skipBlanks(script, at + 1);
  return at;
}

function skipAddress(script: string, at: number): number | undefined {
  const plain = /^(\d+(~\d+)?|\$)/.exec(script.slice(at))?.[0];
  if (plain) return at + plain.length;
  const sign = script.charAt(at);
  const isRegex = sign === '/' || sign === '\\';
  if (!isRegex) return at;
  const start = sign === '/' ? at + 1 : at + 2;
  const end = skipSection(script, start, { delimiter: script.charAt(start - 1), isPattern: true });
  if (end === undefined) return undefined;
  return end + (/^[IM]*/.exec(script.slice(end))?.[0].length ?? 0);
}

function skipSections(script: string, at: number, isPattern: boolean): number | undefined {
  const delimiter = script.charAt(at);
  const middle = skipSection(script, at + 1, { delimiter, isPattern });
  return middle === undefined ? undefined : skipSection(script, middle, { delimiter, isPattern: false });
}

/**
 * The place behind the closing delimiter. Where programs could disagree about it (a delimiter, a bracket or a
 * backslash inside brackets, a line break), the section counts as not read.
 */
function skipSection(
  script: string,
  from: number,
  section: { delimiter: string; isPattern: boolean },
): number | undefined {
  const { delimiter, isPattern } = section;
  if (!/^[^\\\n\s\w;{}[\]]$/.test(delimiter)) return undefined;
  for (let at = from; at < script.length; at += 1) {
    const sign = script.charAt(at);
    if (sign === '\n') return undefined;
    if (sign === delimiter) return at + 1;
    if (sign === '\\') {
      at += 1;
      if (script.charAt(at) === '\n') return undefined;
    } else if (sign === '[' && isPattern) {
      const bracket = /^\[\^?[^[\]\\\n]+\]/.exec(script.slice(at))?.[0];
      if (!bracket || bracket.includes(delimiter)) return undefined;
      at += bracket.length - 1;
    }
  }
  return undefined;
}

function skipBlanks(script: string, at: number): number {
  return at + (/^[ \t]*/.exec(script.slice(at))?.[0].length ?? 0);
}
