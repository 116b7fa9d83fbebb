import { readArguments } from '../argv.ts';
import { type ShellWord, wordText } from '../words.ts';
import type { Program, ReadVerdict } from './program.ts';

/** awk that only computes and prints: its program is read sign by sign, and what could be more is refused. */
export const awk: Program = { names: ['awk', 'gawk', 'mawk', 'nawk'], judge: judgeAwk };

function judgeAwk(args: readonly ShellWord[]): ReadVerdict {
  const parsed = readArguments(args, { values: 'Fv', stopsAtOperand: true });
  if ('check' in parsed) return parsed;
  const [script, ...files] = parsed.operands;
  if (script?.kind !== 'literal' || !onlyComputes(script.value)) {
    return { check: 'sub-language', source: script ? wordText(script) : 'awk' };
  }
  const options = files.find((word) => wordText(word).startsWith('-') && word.source !== '-');
  if (options) return { check: 'option', source: options.source };
  // `name=value` among the files sets a variable.
  return { reads: files.filter((word) => word.source !== '-' && !/^[A-Za-z_]\w*=/.test(wordText(word))) };
}

/** Words that run, read or write something else, wherever they stand: also where they may only look like text. */
const forbidden = /system|getline|ARGV|ARGC|ENVIRON|PROCINFO|@|\/inet/;
/** Behind these a slash begins a regular expression. */
const beforeRegex = new Set(['print', 'printf', 'return', 'in', 'else', 'do', 'case', 'delete']);

/** False for output into files and pipes, and wherever versions of awk could disagree about what is text. */
export function onlyComputes(script: string): boolean {
  if (forbidden.test(script)) return false;
  let braces = 0;
  let parens = 0;
  /** What stood last: a value, something that a value may follow, or what leaves it open. */
  let last: 'value' | 'operator' | 'unclear' = 'operator';
  for (let at = 0; at < script.length; ) {
    const rest = script.slice(at);
    const sign = script.charAt(at);
    const blank = /^([ \t]+|\\\r?\n|#[^\n]*)/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    if (sign === '"') {
      const text = /^"(\\[^\n]|[^"\\\n])*"/.exec(rest)?.[0];
      if (text === undefined) return false;
      at += text.length;
      last = 'unclear';
      continue;
    }
    if (sign === '/' && last !== 'value') {
      const regex = last === 'operator' ? readRegex(rest) : undefined;
      if (regex === undefined) return false;
      at += regex;
      last = 'unclear';
      continue;
    }
    const word = /^([A-Za-z_]\w*|\d+(\.\d*)?([eE][-+]?\d+)?|\.\d+)/.exec(rest)?.[0];
    if (word !== undefined) {
      at += word.length;
      last = beforeRegex.has(word) ? 'operator' : 'value';
      continue;
    }
    if (sign === '>' && braces > 0 && parens === 0) return false;
    if (sign === '|') {
      if (!rest.startsWith('||')) return false;
      at += 1;
    }
    const isDouble = rest.startsWith('++') || rest.startsWith('--');
    if (sign === '{') braces += 1;
    else if (sign === '}') braces -= 1;
    else if (sign === '(') parens += 1;
    else if (sign === ')') parens -= 1;
    if (braces < 0 || parens < 0 || !/^[\s{}()[\];,<>=!~+\-*/%^&|?:$]$/.test(sign)) return false;
    at += isDouble ? 2 : 1;
    last = lastOf(sign, isDouble);
  }
  return braces === 0 && parens === 0;
}

function lastOf(sign: string, isDouble: boolean): 'value' | 'operator' | 'unclear' {
  if (sign === ']') return 'value';
  return sign === ')' || sign === '$' || isDouble ? 'unclear' : 'operator';
}

/** Its length; undefined when a bracket or the end of the line leaves open where it ends. */
function readRegex(text: string): number | undefined {
  let isInBracket = false;
  for (let at = 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n' || (sign === '/' && isInBracket)) return undefined;
    if (sign === '/') return at + 1;
    if (sign === '\\') at += 1;
    else if (sign === '[') {
      if (isInBracket) return undefined;
      isInBracket = true;
      if (/^\[\^?\]/.test(text.slice(at))) return undefined;
    } else if (sign === ']') isInBracket = false;
  }
  return undefined;
}
