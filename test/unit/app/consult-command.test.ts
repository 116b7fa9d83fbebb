import { expect, it } from 'vitest';
import { consultCommand } from '#app/commands/consult.ts';
import type { ConsultCommands, ConsultQuestion } from '#app/commands/consult-commands.ts';
import type { CommandContext } from '#app/commands/define-command.ts';

async function run(argument: string, more: Partial<ConsultCommands> = {}) {
  const asked: ConsultQuestion[] = [];
  const sent: string[][] = [];
  const consult: ConsultCommands = {
    ask: async (question) => {
      asked.push(question);
      return { kind: 'none' };
    },
    send: (...args) => void sent.push(args),
    stop: () => [],
    list: async () => [],
    show: async (thread) => `all of ${thread}`,
    lastAnswer: async () => undefined,
    ...more,
  };
  const outcome = await consultCommand.run(argument, { consult } as CommandContext);
  return { outcome, asked, sent };
}

const plain = { hasDiff: false, hasOutput: false };

it.each<[string, ConsultQuestion]>([
  [
    'fast why?\nbecause  so',
    { who: { kind: 'open', peer: 'fast', name: undefined }, text: 'why?\nbecause  so', ...plain },
  ],
  [
    'a/b#high -t arch --diff --last-output -x or -t?',
    {
      who: { kind: 'open', peer: 'a/b#high', name: 'arch' },
      text: '-x or -t?',
      hasDiff: true,
      hasOutput: true,
    },
  ],
  ['-t arch fast why?', { who: { kind: 'open', peer: 'fast', name: 'arch' }, text: 'why?', ...plain }],
  [
    'reply arch --diff and now?',
    { who: { kind: 'reply', thread: 'arch' }, text: 'and now?', hasDiff: true, hasOutput: false },
  ],
  ['all why?', { who: { kind: 'all' }, text: 'why?', ...plain }],
])('reads /consult %s', async (argument, question) => {
  expect((await run(argument)).asked).toEqual([question]);
});

it.each(['', 'reply', 'show', 'copy', '-t arch', 'reply arch -t other why?'])(
  'explains itself for /consult %s',
  async (argument) => {
    const { outcome, asked } = await run(argument);
    expect(outcome).toMatchObject({
      kind: 'notice',
      level: 'warning',
      text: expect.stringContaining('Usage'),
    });
    expect(asked).toEqual([]);
  },
);

it('sends with secrets only in so many words', async () => {
  const sent = ['send 1', 'send 1 blanked', 'send 1 with-secrets', 'send 1 yes'].map(
    async (line) => (await run(line)).sent[0],
  );
  expect(await Promise.all(sent)).toEqual([
    ['1', 'refuse'],
    ['1', 'blank'],
    ['1', 'send'],
    ['1', 'refuse'],
  ]);
});

it('shows, lists and copies', async () => {
  expect((await run('show arch')).outcome).toMatchObject({ text: 'all of arch' });
  expect((await run('list')).outcome).toMatchObject({
    text: expect.stringContaining('No model was asked yet'),
  });
  const list = async () => [{ name: 'arch', peer: 'a/b', rounds: 2, updatedAt: 0 }];
  expect((await run('list', { list })).outcome).toMatchObject({
    text: expect.stringContaining('| `arch` | a/b | 2 | 1970-01-01 00:00 |'),
  });
  expect((await run('copy arch', { lastAnswer: async () => 'Yes.' })).outcome).toEqual({
    kind: 'copy',
    text: 'Yes.',
    what: 'the last answer in arch',
  });
});
