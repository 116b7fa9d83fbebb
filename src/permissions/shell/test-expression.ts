import { wordList } from '../word-list.ts';
import type { TestExpression, Word } from './parse.ts';
import type { ShellWord } from './words.ts';

const fileTests = new Set(wordList('-a -b -c -d -e -f -g -h -k -L -N -O -p -r -s -S -u -w -x'));
const textTests = new Set(['-n', '-z']);
const comparisons = new Set(['=', '==', '!=', '=~', '<', '>']);
const numberComparisons = new Set(wordList('-eq -ne -lt -le -gt -ge'));

/**
 * The files that a `[[ … ]]` looks at; undefined when it may do more than compare: `-v` and the comparisons of
 * numbers evaluate their words, and what these hold may run.
 */
export function testedFiles(
  expression: TestExpression,
  read: (word: Word) => readonly ShellWord[],
): ShellWord[] | undefined {
  switch (expression.type) {
    case 'TestUnary': {
      if (textTests.has(expression.operator)) return [];
      const [word, ...more] = read(expression.operand);
      const isKnown = word && more.length === 0 && word.kind !== 'dynamic';
      return fileTests.has(expression.operator) && isKnown ? [word] : undefined;
    }
    case 'TestBinary': {
      const { operator, left, right } = expression;
      if (comparisons.has(operator)) return [];
      const areNumbers = [left, right].every((side) => read(side).every(isNumber));
      return numberComparisons.has(operator) && areNumbers ? [] : undefined;
    }
    case 'TestLogical': {
      const files = expression.operands.map((operand) => testedFiles(operand, read));
      return files.some((list) => list === undefined) ? undefined : files.flatMap((list) => list ?? []);
    }
    case 'TestNot':
      return testedFiles(expression.operand, read);
    case 'TestGroup':
      return testedFiles(expression.expression, read);
  }
}

const isNumber = (word: ShellWord) => word.kind === 'literal' && /^-?\d{1,9}$/.test(word.value);
