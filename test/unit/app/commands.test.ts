import { describe, expect, it } from 'vitest';
import type { CommandContext } from '#app/commands/define-command.ts';
import { commands, runCommandLine } from '#app/commands/index.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

const assistant = (text: string): Message => ({
  id: text,
  role: 'assistant',
  createdAt: 0,
  parts: [{ id: 't', kind: 'text', text }],
});

function contextWith(state: Partial<ThreadState> = {}, more: Partial<CommandContext> = {}): CommandContext {
  const none = async () => ({ kind: 'none' as const });
  return {
    commands,
    cwd: '/w',
    themeIds: ['auto', 'dark', 'light'],
    state: async () => ({ ...emptyThreadState({ threadId: 'T', cwd: '/w', mode: 'prompt' }), ...state }),
    resolveModel: async (text) => ({ provider: 'p', model: text }),
    chooseModel: async (model) => ({ kind: 'action', action: { kind: 'switch-model', model } }),
    newThread: none,
    openThread: async (text) => ({ kind: 'notice', level: 'info', text: `opened ${text}` }),
    forkThread: none,
    getSetting: async (key) => `${key} is set`,
    setSetting: async (key, value) => `${key} = ${value}`,
    saveTheme: async () => undefined,
    trustProject: async () => 'trusted',
    confirmFullAccess: async ({ isConfirmed }) => isConfirmed,
    workingDiff: async () => null,
    ...more,
  };
}

const run = (line: string, context = contextWith()) => runCommandLine(line, context);

describe('slash commands', () => {
  it.each([
    ['/help', { kind: 'dialog', dialog: 'help' }],
    ['/?', { kind: 'dialog', dialog: 'help' }],
    ['/model', { kind: 'dialog', dialog: 'model' }],
    [
      '/model fast',
      { kind: 'action', action: { kind: 'switch-model', model: { provider: 'p', model: 'fast' } } },
    ],
    ['/mode', { kind: 'dialog', dialog: 'mode' }],
    ['/mode acceptEdits', { kind: 'action', action: { kind: 'set-mode', mode: 'workspace_write' } }],
    ['/compact', { kind: 'action', action: { kind: 'compact' } }],
    ['/compact the tests', { kind: 'action', action: { kind: 'compact', focus: 'the tests' } }],
    ['/resume', { kind: 'dialog', dialog: 'threads' }],
    ['/resume my thread', { kind: 'notice', level: 'info', text: 'opened my thread' }],
    ['/config', { kind: 'dialog', dialog: 'config' }],
    ['/config set theme dark', { kind: 'notice', level: 'info', text: 'theme = dark' }],
    ['/theme dark', { kind: 'theme', theme: 'dark' }],
    ['/exit', { kind: 'exit' }],
    ['/quit', { kind: 'exit' }],
    ['/cancel', { kind: 'action', action: { kind: 'interrupt' } }],
    ['/continue', { kind: 'action', action: { kind: 'continue' } }],
    ['/rename a name', { kind: 'action', action: { kind: 'rename', name: 'a name' } }],
  ])('%s', async (line, outcome) => {
    expect(await run(line)).toEqual(outcome);
  });

  it.each([
    ['/modle', 'did you mean `/model`?'],
    ['/xyzzy', '`/help` lists them'],
    ['/mode planing', 'did you mean `plan`?'],
    ['/theme drak', 'did you mean `dark`?'],
    ['/config get', 'Usage'],
    ['/help modle', 'did you mean `/model`?'],
    ['/mode full_access', 'full_access i know'],
  ])('%s says what would be right', async (line, text) => {
    expect(await run(line)).toMatchObject({
      kind: 'notice',
      level: 'warning',
      text: expect.stringContaining(text),
    });
  });

  it('leave a path that was said to the model', async () => {
    expect(await run('/usr/bin/env is missing')).toMatchObject({
      kind: 'action',
      action: { kind: 'prompt' },
    });
  });

  it('have unique names, and each a summary', () => {
    const names = commands.flatMap((command) => [command.name, ...command.aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(commands.every((command) => command.summary !== '')).toBe(true);
  });
});

describe('/copy', () => {
  const context = contextWith({
    messages: [assistant('first'), assistant('Do:\n```js\none\n```\nthen\n~~~\ntwo\n~~~\ndone')],
  });

  it('takes the last answer or its last code block', async () => {
    expect(await run('/copy', context)).toMatchObject({ kind: 'copy', text: expect.stringContaining('Do:') });
    expect(await run('/copy code', context)).toEqual({
      kind: 'copy',
      text: 'two',
      what: 'the last code block',
    });
  });

  it('says when there is nothing', async () => {
    expect(await run('/copy')).toMatchObject({ kind: 'notice', level: 'warning' });
  });
});

describe('/cost', () => {
  it('says what is not known as such', async () => {
    const totals = {
      input: 12_345,
      output: 67,
      cacheRead: 10_000,
      cacheWrite: 0,
      reasoning: 0,
      steps: 2,
      costUsd: 0.0123,
      unpriced: true,
    };
    const outcome = await run('/cost', contextWith({ totals, contextTokens: 500, contextWindow: 1_000 }));
    expect(outcome.kind === 'notice' && outcome.text.split('  \n')).toEqual([
      'model calls: 2',
      'input: 12,345 tokens',
      'of these from the cache: 10,000 tokens',
      'output: 67 tokens',
      'cost: $0.012 and calls whose price is not known',
      'context: 500 of 1,000 (50 %)',
    ]);
  });
});

describe('/diff', () => {
  it('fences the diff so that nothing in it can end the fence', async () => {
    const outcome = await run('/diff', contextWith({}, { workingDiff: async () => '+```\n+text' }));
    expect(outcome).toMatchObject({ text: '````diff\n+```\n+text\n````' });
  });

  it('shows what the tools wrote where there is no repository', async () => {
    const message: Message = {
      id: 'm',
      role: 'assistant',
      createdAt: 0,
      parts: [
        {
          id: 'p',
          kind: 'tool-call',
          callId: 'c',
          tool: 'edit_file',
          input: {},
          result: {
            status: 'ok',
            forModel: [],
            durationMs: 1,
            view: {
              kind: 'diff',
              path: 'a.ts',
              change: 'modify',
              added: 1,
              removed: 1,
              hunks: [
                {
                  oldStart: 1,
                  newStart: 1,
                  lines: [
                    { op: '-', text: 'a' },
                    { op: '+', text: 'b' },
                  ],
                },
              ],
            },
          },
        },
      ],
    };
    const outcome = await run('/diff', contextWith({ messages: [message] }));
    expect(outcome).toMatchObject({
      text: expect.stringContaining('--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+b'),
    });
  });
});
