import { wordList } from '../../word-list.ts';
import { isSecretVariable } from '../secret-variable.ts';
import { isPlainVariable } from '../variables.ts';
import { type ShellWord, wordText } from '../words.ts';
import type { Program, ReadVerdict } from './program.ts';

const refuse = (word: ShellWord): ReadVerdict => ({ check: 'option', source: wordText(word) });

/** Built-ins of the shell that print, compare, leave a loop or set a plain variable. */
export const shellPrograms: readonly Program[] = [
  { names: ['echo'], judge: judgeEcho },
  {
    names: ['printf'],
    // `-v` assigns to a variable, and evaluates a subscript in its name.
    judge: (args) => {
      const [format] = args;
      if (!format) return { reads: [] };
      if (format.kind === 'dynamic') return { check: 'injection', source: format.source };
      return wordText(format).startsWith('-') && wordText(format) !== '--' ? refuse(format) : judgeEcho(args);
    },
  },
  { names: ['test', '['], judge: judgeTest },
  { names: ['read'], judge: judgeRead },
  { names: ['break', 'continue', 'exit'], judge: judgeLeave },
  { names: ['set'], judge: judgeSet },
];

/** Prints values; what runs to make them is judged where it stands. Values of secrets are not for printing. */
function judgeEcho(args: readonly ShellWord[]): ReadVerdict {
  const secret = args.find((word) => word.kind === 'dynamic' && word.variables.some(isSecretVariable));
  return secret ? { check: 'env-leak', source: secret.source } : { reads: [] };
}

/** Puts a line into variables. In a name a subscript would be evaluated, so names must be plain. */
function judgeRead(args: readonly ShellWord[]): ReadVerdict {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    if (word.kind !== 'literal') return refuse(word);
    if (word.value === '-d' && args[at + 1]?.kind === 'literal') {
      at += 1;
      continue;
    }
    if (!/^-[rs]$/.test(word.value) && !isPlainVariable(word.value)) return refuse(word);
  }
  return { reads: [] };
}

function judgeLeave(args: readonly ShellWord[]): ReadVerdict {
  const odd = args.find((word) => word.kind !== 'literal' || !/^\d{1,3}$/.test(word.value));
  return odd ? refuse(odd) : { reads: [] };
}

/** Ways of stopping at an error. Others change what words mean, or export what is assigned. */
function judgeSet(args: readonly ShellWord[]): ReadVerdict {
  const texts = args.map((word) => (word.kind === 'literal' ? word.value : ''));
  const isKnown = texts.every((text, at) =>
    /^[-+][eux]*o$/.test(texts[at - 1] ?? '')
      ? ['pipefail', 'errexit', 'nounset', 'xtrace'].includes(text)
      : /^[-+][eux]*o?$/.test(text) && text.length > 1,
  );
  const isOpen = /o$/.test(texts.at(-1) ?? '') && /^[-+]/.test(texts.at(-1) ?? '');
  if (texts.length > 0 && isKnown && !isOpen) return { reads: [] };
  return { check: 'state-builtin', source: ['set', ...args.map(wordText)].join(' ') };
}

const fileTests = wordList('-a -b -c -d -e -f -g -h -k -L -N -O -p -r -s -S -u -w -x');
const textTests = ['-n', '-z'];
const comparisons = ['=', '==', '!='];
const numberComparisons = wordList('-eq -ne -lt -le -gt -ge');

/** One argument for certain. */
const isOne = (word: ShellWord) => word.kind === 'literal' || word.isSingle === true;
const isLiteral = (word: ShellWord, texts: readonly string[]) =>
  word.kind === 'literal' && texts.includes(word.value);

/** Only one plain test of up to three words: `-v` and arithmetic over names run code. */
function judgeTest(args: readonly ShellWord[]): ReadVerdict {
  const words = args.filter((word, index) => !(index === args.length - 1 && isLiteral(word, [']'])));
  const plain = words.filter((word, index) => !(index === 0 && words.length > 2 && isLiteral(word, ['!'])));
  const [first, second, third] = plain;
  const source = args.map(wordText).join(' ');
  if (!first || plain.length > 3 || !plain.every(isOne)) {
    const dynamic = args.find((word) => word.kind === 'dynamic');
    return dynamic ? { check: 'injection', source: dynamic.source } : { check: 'option', source };
  }
  if (plain.length === 1) return { reads: [] };
  if (plain.length === 2 && second) {
    if (isLiteral(first, fileTests) && second.kind !== 'dynamic') return { reads: [second] };
    if (isLiteral(first, textTests)) return { reads: [] };
  }
  if (second && third) {
    if (isLiteral(second, comparisons)) return { reads: [] };
    const areNumbers = [first, third].every((word) => /^-?\d{1,9}$/.test(wordText(word)));
    if (isLiteral(second, numberComparisons) && areNumbers) return { reads: [] };
  }
  const dynamic = args.find((word) => word.kind === 'dynamic');
  return dynamic ? { check: 'injection', source: dynamic.source } : { check: 'option', source };
}
