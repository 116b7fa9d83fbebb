import type { AnswerStep } from '../model-servers/index.ts';

const testRun = { call: 'bash', input: { command: 'node --test', description: 'run the tests' } } as const;

/** What a model does that is asked to fix the failing test of the sample repository: five model calls, six tools. */
export const fixTask: readonly AnswerStep[] = [
  {
    parts: [
      { reasoning: 'The failing test comes first.' },
      { text: 'I look at the test first.' },
      { call: 'todo_write', input: { todos: [{ content: 'find the wrong total', status: 'in_progress' }] } },
      { call: 'read_file', input: { path: 'src/total.mjs' } },
    ],
  },
  { parts: [testRun] },
  {
    parts: [
      { text: 'The coupon is added instead of taken off.' },
      {
        call: 'edit_file',
        input: {
          path: 'src/total.mjs',
          old_string: 'return sum + coupon;',
          new_string: 'return sum - coupon;',
        },
      },
    ],
  },
  { parts: [testRun] },
  { parts: [{ reasoning: 'Green.' }, { text: 'Fixed: the coupon now lowers the total.' }] },
];

export const fixAnswer = 'Fixed: the coupon now lowers the total.';
