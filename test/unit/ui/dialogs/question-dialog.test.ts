import { describe, expect, test } from 'vitest';
import type { Question, QuestionAnswer } from '#protocol/question.ts';
import { openQuestion, reduceQuestion } from '#ui/dialogs/question/question-dialog.ts';
import { type KeyPress, pasteKey } from '#ui/input/key-press.ts';
import { backTab, down, enter, esc, named, press, up } from './support.ts';

const database: Question = {
  question: 'Which database?',
  header: 'Database',
  options: [{ label: 'PostgreSQL', description: 'as the others' }, { label: 'SQLite' }, { label: 'none' }],
  multiSelect: false,
};
const parts: Question = {
  question: 'Which parts?',
  options: [{ label: 'api' }, { label: 'ui' }],
  multiSelect: true,
};
const open: Question = { question: 'Anything else?', options: [], multiSelect: false };

const ask = (questions: Question[], ...entries: (string | KeyPress)[]) =>
  press(reduceQuestion, openQuestion({ id: 'question-1', callId: 'call-1', questions }), entries);
const answers = (answer: QuestionAnswer) => [
  { kind: 'submit', action: { kind: 'answer-question', requestId: 'question-1', answer } },
];

describe('a question with one choice', () => {
  test('is answered by the selected row', () => {
    expect(ask([database], enter).effects).toEqual(answers([['PostgreSQL']]));
    expect(ask([database], down, enter).effects).toEqual(answers([['SQLite']]));
    expect(ask([database], down, down, up, enter).effects).toEqual(answers([['SQLite']]));
  });

  test('is answered by the number of a row at once', () => {
    expect(ask([database], '3').effects).toEqual(answers([['none']]));
    expect(ask([database], '9').effects).toEqual([]);
  });

  test('takes an own answer, typed from wherever one stands', () => {
    expect(ask([database], 'DuckDB 2', enter).effects).toEqual(answers([['DuckDB 2']]));
    expect(ask([database], up, 'x', enter).effects).toEqual(answers([['x']]));
  });

  test('a paste is text, never a choice', () => {
    expect(ask([database], pasteKey('2')).effects).toEqual([]);
    expect(ask([database], pasteKey('2'), enter).effects).toEqual(answers([['2']]));
  });

  test('an empty own answer is none', () => {
    expect(ask([database], up, enter).effects).toEqual([]);
  });
});

describe('a question with several choices', () => {
  test('is answered by all ticked rows, in their order', () => {
    expect(ask([parts], down, ' ', up, ' ', enter).effects).toEqual(answers([['api', 'ui']]));
  });

  test('numbers tick and untick', () => {
    expect(ask([parts], '1', '2', '1', enter).effects).toEqual(answers([['ui']]));
  });

  test('takes ticked rows together with an own answer', () => {
    expect(ask([parts], '2', 'docs', enter).effects).toEqual(answers([['ui', 'docs']]));
  });

  test('with nothing ticked takes the selected row', () => {
    expect(ask([parts], down, enter).effects).toEqual(answers([['ui']]));
  });
});

describe('several questions', () => {
  test('come in order and are answered together', () => {
    const { effects } = ask([database, parts, open], enter, '2', enter, 'no', enter);
    expect(effects).toEqual(answers([['PostgreSQL'], ['ui'], ['no']]));
  });

  test('one can go back and change an answer', () => {
    const { effects } = ask([database, parts], enter, backTab, down, enter, '1', enter);
    expect(effects).toEqual(answers([['SQLite'], ['api']]));
  });
});

describe('Escape', () => {
  test('declines all questions', () => {
    expect(ask([database, parts], enter, esc).effects).toEqual(answers(null));
  });

  test('takes a typed answer away first', () => {
    expect(ask([open], 'never mind', esc).effects).toEqual([]);
    expect(ask([open], 'never mind', esc, esc).effects).toEqual(answers(null));
  });
});

test('a long question scrolls until the selection moves', () => {
  const scrolled = ask([database], named('pagedown'));
  expect(scrolled.state.scroll).toBe(4);
  expect(ask([database], named('pagedown'), down).state.scroll).toBeNull();
});
