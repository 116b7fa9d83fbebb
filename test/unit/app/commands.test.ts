import { describe, expect, it } from 'vitest';
import type { CommandContext } from '#app/commands/define-command.ts';
import { commands, runCommandLine } from '#app/commands/index.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message } from '#protocol/message.ts';
import type { Effort } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { fakePreflight } from '../../support/ui/fake-port.ts';

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
    preflight: async (model) => fakePreflight(model),
    modelInfo: async (model) => fakePreflight(model).info,
    chooseModel: async (model) => ({ kind: 'action', action: { kind: 'switch-model', model } }),
    newThread: none,
    openThread: async (text) => ({ kind: 'notice', level: 'info', text: `opened ${text}` }),
    forkThread: async (upTo) => ({ kind: 'notice', level: 'info', text: `forked ${JSON.stringify(upTo)}` }),
    getSetting: async (key) => `${key} is set`,
    setSetting: async (key, value) => `${key} = ${value}`,
    saveTheme: async () => undefined,
    editorMode: async () => 'emacs',
    saveEditorMode: async () => undefined,
    keyFiles: {
      files: ['/h/keybindings.json'],
      current: () => ({ bindings: [] }),
      reload: () => ({ bindings: [] }),
    },
    mouse: async () => 'on',
    saveMouse: async () => undefined,
    transcript: async () => '# said',
    saveTranscript: async (file) => `in ${file}`,
    trustProject: async () => 'trusted',
    hooks: async () => ({ hooks: [], runs: [] }),
    saveExport: async ({ file, format }) => `${file} as ${format}`,
    askTitle: async () => 'Rounding of invoices',
    doctor: async () => 'all is well',
    hida: async () => 'taken for coding',
    sandbox: async () => 'No sandbox.',
    setSandbox: async (mode) => `sandbox = ${mode}`,
    spentToday: async () => 0,
    confirmFullAccess: async ({ isConfirmed }) => isConfirmed,
    startRecording: async (file) => `Recording to ${file}`,
    stopRecording: async () => 'stopped',
    recordingStatus: async () => 'Nothing is recorded.',
    workingDiff: async () => null,
    threadDiff: async () => ({ views: [], others: [] }),
    permissions: {
      overview: async () => ({ mode: 'prompt', rules: [], decisions: [] }),
      text: async () => 'rules',
      explain: async (count) => `explain ${count}`,
      replay: async (change) => JSON.stringify(change),
      add: async ({ action, rule, scope }) => `${action} ${rule} ${scope}`,
      remove: async (rule, action) => `removed ${action} ${rule}`,
    },
    memory: {
      overview: async () => 'all',
      get: async (what) => `get ${what}`,
      add: async (text) => `add ${text}`,
      set: async (id, text) => `set ${id} ${text}`,
      delete: async (id) => `delete ${id}`,
      undo: async () => 'undo',
      lint: async () => 'lint',
      history: async (count) => `history ${count}`,
      consolidate: async (id) => `consolidate ${id}`,
    },
    consult: {
      ask: none,
      send: () => undefined,
      stop: () => [],
      list: async () => [],
      show: async () => '',
      lastAnswer: async () => undefined,
    },
    ...more,
  };
}

const run = (line: string, context = contextWith()) => runCommandLine(line, context);

it('a command that takes nothing says so, and does nothing', async () => {
  for (const line of ['/clear foo', '/exit now', '/cost `x`'])
    expect(await run(line)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('takes nothing'),
    });
});

it('a name is told as it is, and no longer than a name is', async () => {
  const text = async (line: string) => {
    const outcome = await run(line);
    return outcome.kind === 'notice' ? outcome.text : '';
  };
  expect(await text('/theme __proto__')).toContain('`__proto__`');
  expect(await text('/theme a`b')).toContain('`` a`b ``');
  expect((await text(`/help ${'x'.repeat(10_000)}`)).length).toBeLessThan(200);
});

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
    ['/compact undo', { kind: 'action', action: { kind: 'undo-compaction' } }],
    ['/resume', { kind: 'dialog', dialog: 'threads' }],
    ['/resume my thread', { kind: 'notice', level: 'info', text: 'opened my thread' }],
    ['/config', { kind: 'dialog', dialog: 'config' }],
    ['/config set theme dark', { kind: 'notice', level: 'info', text: 'theme = dark' }],
    ['/theme dark', { kind: 'theme', theme: 'dark' }],
    ['/search gift card', { kind: 'search', words: 'gift card' }],
    ['/vim', { kind: 'editor-mode', mode: 'vim' }],
    ['/vim off', { kind: 'editor-mode', mode: 'emacs' }],
    ['/exit', { kind: 'exit' }],
    ['/quit', { kind: 'exit' }],
    ['/cancel', { kind: 'action', action: { kind: 'interrupt' } }],
    ['/continue', { kind: 'action', action: { kind: 'continue' } }],
    ['/rename a name', { kind: 'action', action: { kind: 'rename', name: 'a name' } }],
    ['/rename', { kind: 'action', action: { kind: 'rename', name: 'Rounding of invoices' } }],
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

describe('/effort', () => {
  const model = { provider: 'p', model: 'm' };
  const thinking = (efforts: Effort[]): Partial<CommandContext> => ({
    modelInfo: async (ref) => ({
      ...fakePreflight(ref).info,
      reasoning: { value: efforts.length > 0, origin: 'catalogue' },
      ...(efforts.length > 0 ? { efforts: { value: efforts, origin: 'catalogue' } } : {}),
    }),
  });
  const context = contextWith({ model: { ...model, effort: 'low' } }, thinking(['low', 'high']));

  it('sets one of the levels of the model as a part of its reference, or none', async () => {
    const switchTo = (ref: object) => ({ kind: 'action', action: { kind: 'switch-model', model: ref } });
    expect(await run('/effort high', context)).toEqual(switchTo({ ...model, effort: 'high' }));
    expect(await run('/effort default', context)).toEqual(switchTo(model));
  });

  it('tells the present level and those there are', async () => {
    expect(await run('/effort', context)).toMatchObject({
      level: 'info',
      text: expect.stringMatching(/`p\/m` is `low`.* low, high, or default/),
    });
    expect(await run('/effort xhigh', context)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('low, high'),
    });
    expect(await run('/effort high', contextWith({ model }, thinking([])))).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('does not reason'),
    });
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
  const totals = {
    input: 12_345,
    output: 67,
    cacheRead: 10_000,
    cacheWrite: 500,
    reasoning: 7,
    steps: 2,
    costUsd: 0.0123,
    unpriced: true,
    cacheInput: 12_345,
  };

  it('tells by model, turn and thread, and never shows an unknown price as nothing', async () => {
    const local = { ...totals, cacheWrite: 0, costUsd: 0, unpriced: false, steps: 1 };
    const { cacheInput: _none, ...uncounted } = { ...local, unpriced: true, reasoning: 0 };
    const at = new Date(2026, 0, 1, 9, 5).getTime();
    const state = contextWith(
      {
        totals,
        totalsByModel: { 'p/paid': { ...totals, unpriced: false }, 'p/new': uncounted, 'p/local': local },
        turnTotals: [
          { turnId: 'a', at, totals: local },
          { turnId: 'b', at, totals },
        ],
        cacheMisses: [{ reason: 'model-switched', tokens: 4_000, model: 'p/paid', at }],
        contextTokens: 500,
        contextWindow: 1_000,
      },
      { spentToday: async () => 1.5 },
    );
    const outcome = await run('/cost', state);
    expect(outcome.kind === 'notice' && outcome.text).toBe(
      [
        'this thread: $0.012 + unknown · 2 model calls · 12,345 tokens in, 67 out  ',
        'last turn: $0.012 + unknown · 2 model calls · 12,345 tokens in, 67 out  ',
        'today, all threads: $1.50  ',
        'context: 500 of 1,000 (50 %)',
        '',
        '| by model | calls | in | from cache | out | cost |',
        '| --- | --: | --: | --: | --: | --: |',
        '| `p/paid` | 2 | 12,345 | 81 %, 500 written | 67 (7 thought) | $0.012 |',
        '| `p/new` | 1 | 12,345 | not said | 67 | unknown |',
        '| `p/local` | 1 | 12,345 | 81 % | 67 (7 thought) | free |',
        '',
        '| by turn | calls | in | from cache | out | cost |',
        '| --- | --: | --: | --: | --: | --: |',
        '| 09:05 | 1 | 12,345 | 81 % | 67 (7 thought) | free |',
        '| 09:05 | 2 | 12,345 | 81 %, 500 written | 67 (7 thought) | $0.012 + unknown |',
        '',
        'cache: 81 % of the input came from it',
        '',
        '- 09:05 `p/paid`: 4,000 tokens were not found there: the model was switched, and another one has a cache of its own',
      ].join('\n'),
    );
  });
});

describe('/diff', () => {
  const change: DiffView = {
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
  };
  const asked: number[] = [];
  const changes = {
    threadDiff: async (prompts: number) => {
      asked.push(prompts);
      return { views: [change], others: ['run.sh gets mode 755'] };
    },
  };
  const shown = '```diff\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+b\n```\n- `run.sh gets mode 755`';

  it('fences the diff so that nothing in it can end the fence', async () => {
    const outcome = await run('/diff', contextWith({}, { workingDiff: async () => '+```\n+text' }));
    expect(outcome).toMatchObject({ text: '````diff\n+```\n+text\n````' });
  });

  it('shows outside of a repository, or when asked for, what the thread changed', async () => {
    expect(await run('/diff', contextWith({}, changes))).toMatchObject({ text: shown });
    const inRepository = { ...changes, workingDiff: async () => 'other' };
    expect(await run('/diff thread', contextWith({}, inRepository))).toMatchObject({ text: shown });
    expect(await run('/diff since 2', contextWith({}, inRepository))).toMatchObject({ text: shown });
    expect(await run('/diff since', contextWith({}, inRepository))).toMatchObject({ level: 'warning' });
    expect(asked).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 2]);
  });
});

describe('/vcr', () => {
  it('records into the file that is named, says how it stands, and begins only between two turns', async () => {
    expect(await run('/vcr on tape.jsonl')).toMatchObject({ level: 'info', text: 'Recording to tape.jsonl' });
    expect(await run('/vcr off')).toMatchObject({ text: 'stopped' });
    expect(await run('/vcr')).toMatchObject({ text: 'Nothing is recorded.' });
    expect(await run('/vcr', contextWith({ turnId: 'T' }))).toMatchObject({ text: 'Nothing is recorded.' });
    expect(await run('/vcr on', contextWith({ turnId: 'T' }))).toMatchObject({ level: 'warning' });
    expect(await run('/vcr rewind')).toMatchObject({ level: 'warning' });
  });
});
