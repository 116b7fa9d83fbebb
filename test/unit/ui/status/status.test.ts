import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { emptyTotals } from '#protocol/usage-totals.ts';
import { activityOf } from '#ui/status/activity.ts';
import { activityRow, todoRow } from '#ui/status/activity-row.ts';
import { formatCost, formatElapsed, formatTokens } from '#ui/status/format.ts';
import { type HintScene, keyHints } from '#ui/status/hints.ts';
import { pendingRow } from '#ui/status/pending-rows.tsx';
import { threadStatus } from '#ui/status/status-bar.tsx';
import { type StatusInput, statusRow } from '#ui/status/status-line.ts';
import { startView } from '#ui/store/view-state.ts';
import { type Span, spansWidth } from '#ui/theme/span.ts';

const plain = (spans: readonly Span[]) => spans.map((piece) => piece.text).join('');
const model = { provider: 'ollama', model: 'qwen3-coder:30b' };
const start: ThreadState = {
  ...emptyThreadState({ threadId: 't', cwd: '/w', mode: 'prompt' }),
  model,
  contextWindow: 32_000,
};

function after(...bodies: EventBody[]): ThreadState {
  return bodies.reduce<ThreadState>(
    (state, body) =>
      applyEvent(state, {
        threadId: 't',
        turnId: 'turn',
        seq: state.seq + 1,
        at: 1_000,
        ...body,
      } as EngineEvent),
    start,
  );
}

const status: StatusInput = {
  mode: 'prompt',
  model: 'qwen3-coder:30b',
  provider: 'ollama',
  isStandIn: false,
  aside: '',
  contextShare: 0.34,
  tokens: '18.2k tok',
  cost: 'free',
  folder: 'shop-api',
  branch: 'main ±2',
  hints: [
    { key: '⏎', does: 'steers' },
    { key: 'tab', does: 'queues' },
    { key: 'esc', does: 'stops' },
  ],
};
const line = (width: number, change: Partial<StatusInput> = {}) =>
  plain(statusRow({ ...status, ...change }, { width, margin: width >= 60 ? 2 : 1 }));

test('a wide status line says everything', () => {
  expect(line(140)).toBe(
    '  prompt ⇧⇥   qwen3-coder:30b · ollama   ctx ▓▓▓░░░░░ 34%   18.2k tok · free   shop-api main ±2' +
      '          ⏎ steers · tab queues · esc stops  ',
  );
});

test('a narrow status line gives up branch and folder first; model, fill and cost stay at 80 cells', () => {
  expect(line(96)).toContain('18.2k tok · free  ');
  expect(line(80)).toBe('  prompt ⇧⇥   qwen3-coder:30b · ollama   ctx ▓▓▓░░░░░ 34%   free      ⏎ steers  ');
  expect(
    line(80, {
      mode: 'workspace_write',
      model: 'claude-sonnet-4-5 high',
      provider: 'anthropic',
      cost: '$12.50+',
    }),
  ).toBe('  workspace_write   claude-sonnet-4-5 high   ctx 34%   $12.50+        ⏎ steers  ');
  expect(line(40)).toBe(' prompt   qwen3-cod…   34%     ⏎ steers ');
});

test('a model that stands in says for whom, and one that comes next is named', () => {
  expect(line(100, { isStandIn: true, aside: 'for large-1' })).toContain(
    '↪ qwen3-coder:30b · ollama for large-1   ctx',
  );
  expect(line(80, { isStandIn: true, aside: 'for a-model-with-a-very-long-name' })).toContain(
    '↪ qwen3-coder:30b for a-model-w…   ctx 34%   free',
  );
  const switched = after(
    { kind: 'turn-start' },
    { kind: 'message-start', messageId: 'm', model },
    { kind: 'model-switched', model: { provider: 'p', model: 'next' }, contextWindow: 1_000, price: 'known' },
  );
  expect(threadStatus({ thread: switched, view: startView })).toMatchObject({
    model: 'qwen3-coder:30b',
    provider: 'ollama',
    aside: '→ next',
    cost: '$0',
  });
});

test('commands in the background are counted, and the count stays where the words do not fit', () => {
  expect(line(140, { backgroundCount: 2 })).toContain('⚙ 2 in background');
  expect(line(80, { backgroundCount: 2 })).toMatch(/⚙ 2(?! in)/);
  expect(line(140, { backgroundCount: 0 })).not.toContain('⚙');
});

test('a status line is exactly as wide as the window, whatever it says', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
  const inputs = fc.record({
    mode: fc.constantFrom<StatusInput['mode']>('plan', 'prompt', 'workspace_write', 'full_access'),
    model: fc.option(fc.oneof(text, fc.constant('模型-日本語'))),
    provider: text,
    isStandIn: fc.boolean(),
    aside: text,
    contextShare: fc.option(fc.double({ min: 0, max: 1.2, noNaN: true })),
    tokens: text,
    cost: text,
    folder: text,
    branch: text,
    backgroundCount: fc.nat(20),
    hints: fc.array(fc.record({ key: text, does: text }), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(inputs, fc.integer({ min: 40, max: 200 }), (input, width) => {
      expect(spansWidth(statusRow(input, { width, margin: 1 }))).toBe(width);
    }),
  );
});

test('the demo model says that it is none', () => {
  const demo = { ...start, model: { provider: 'demo', model: 'demo' } };
  expect(threadStatus({ thread: demo, view: startView })).toMatchObject({
    model: 'demo (offline, scripted)',
    provider: '',
  });
});

test('names of models cannot act on the terminal', () => {
  const evil = { ...start, model: { provider: 'x', model: 'a\x1b]0;t\x07b' } };
  expect(threadStatus({ thread: evil, view: startView }).model).toBe('a\\x1b]0;t\\x07b');
});

test('cost is free, known, unknown, or known in part, and says what the model in use costs', () => {
  const cost = (change: Partial<typeof emptyTotals>, price?: 'free' | 'known' | 'unknown') =>
    formatCost({ ...emptyTotals, ...change }, price);
  expect([cost({}), cost({}, 'free'), cost({}, 'known'), cost({}, 'unknown')]).toEqual([
    '',
    'free',
    '$0',
    'price ?',
  ]);
  expect([cost({ steps: 1 }), cost({ steps: 1, unpriced: true })]).toEqual(['free', 'price ?']);
  expect(cost({ steps: 1, costUsd: 0.004 }, 'known')).toBe('$0.004');
  expect(cost({ steps: 1, costUsd: 1.234, unpriced: true }, 'unknown')).toBe('$1.23+');
  expect(cost({ steps: 1, costUsd: 0.12 }, 'free')).toBe('$0.12 · now free');
  expect(cost({ steps: 1, costUsd: 0.12 }, 'unknown')).toBe('$0.12 · price ?');
});

test('amounts are short', () => {
  expect([999, 18_234].map(formatTokens)).toEqual(['999 tok', '18.2k tok']);
  expect([0, 59_999, 60_000, 3_600_000].map(formatElapsed)).toEqual(['0s', '59s', '1m 00s', '1h 00m']);
});

test('the activity says what really happens, step by step', () => {
  const texts = [
    [],
    [{ kind: 'turn-start' }],
    [{ kind: 'message-start', messageId: 'm', model }],
    [{ kind: 'reasoning-start', messageId: 'm', partId: 'r' }],
    [{ kind: 'text-start', messageId: 'm', partId: 'x' }],
    [{ kind: 'tool-call-start', messageId: 'm', partId: 'c', callId: 'k', tool: 'bash' }],
    [
      {
        kind: 'tool-call-end',
        messageId: 'm',
        part: {
          id: 'c',
          kind: 'tool-call',
          callId: 'k',
          tool: 'bash',
          input: {},
          title: 'npm test\n-- total',
        },
      },
      { kind: 'tool-run-start', messageId: 'm', callId: 'k' },
    ],
    [{ kind: 'compaction-start', automatic: true }],
  ] satisfies EventBody[][];
  const bodies: EventBody[] = [];
  const seen = texts.map((more) => {
    bodies.push(...more);
    return activityOf(after(...bodies))?.text ?? null;
  });
  expect(seen).toEqual([
    null,
    'waiting for qwen3-coder:30b',
    'waiting for qwen3-coder:30b',
    'thinking',
    'writing',
    'preparing bash',
    'running npm test -- total',
    'summarising the conversation',
  ]);
});

test('a command of the person is named, though no call stands for it', () => {
  const activity = activityOf(
    after(
      { kind: 'tool-run-start', messageId: 'm', callId: 'k' },
      {
        kind: 'tool-run-progress',
        messageId: 'm',
        callId: 'k',
        view: {
          kind: 'terminal',
          command: 'make\ndocs',
          output: '',
          omittedLines: 0,
          exitCode: null,
          signal: null,
          running: true,
        },
      },
    ),
  );
  expect(activity).toMatchObject({ kind: 'working', text: 'running make docs' });
});

test('a retry counts down and says less on a narrow screen', () => {
  const activity = activityOf(
    after(
      { kind: 'turn-start' },
      {
        kind: 'retry-wait',
        attempt: 2,
        maxAttempts: 5,
        until: 13_000,
        error: { class: 'rate-limit', retryable: true, message: '', advice: '', status: 429 },
      },
    ),
  );
  if (!activity) throw new Error('no activity');
  const row = (width: number) => plain(activityRow(activity, { width, frame: 0, now: 1_000 }));
  expect(row(80)).toMatch(/^⠋ 429 rate limit · again in 12s · try 2 of 5 +esc stops$/);
  expect(row(38)).toMatch(/^⠋ 429 rate limit, 12s +esc stops$/);
});

test('a question for the person does not spin', () => {
  const activity = activityOf(
    after(
      { kind: 'turn-start' },
      {
        kind: 'permission-request',
        request: { id: 'r', callId: 'k', tool: 'bash', title: 'rm x', input: {}, cwd: '/', reasons: [] },
      },
    ),
  );
  expect(activity).toMatchObject({ kind: 'person', text: 'waiting for you: bash rm x' });
});

test('the plan shows how far it is, then what is done now and what comes next', () => {
  const row = todoRow(
    [
      { content: 'find it', status: 'completed' },
      { content: 'fix it', status: 'in_progress' },
      { content: 'test it', status: 'pending' },
    ],
    60,
  );
  expect(plain(row)).toBe('1/3   ▸ fix it   ☐ test it   ☑ find it');
  expect(spansWidth(todoRow([{ content: 'x'.repeat(99), status: 'pending' }], 30))).toBeLessThanOrEqual(30);
});

test('a waiting message says when it goes in and how to take it back', () => {
  const input = { id: 'p', text: 'also look\nat refunds', delivery: 'steer' as const, images: 0 };
  expect(plain(pendingRow(input, { width: 76, isNewest: true }))).toMatch(
    /^↳ also look at refunds +goes in at the next step · ↑ takes it back$/,
  );
  expect(plain(pendingRow({ ...input, delivery: 'queue' }, { width: 76, isNewest: false }))).toMatch(
    /goes in after this turn$/,
  );
  expect(plain(pendingRow(input, { width: 76, isNewest: false, isHeld: true }))).toMatch(
    /goes out with Enter$/,
  );
  expect(spansWidth(pendingRow({ ...input, text: '日本語'.repeat(50) }, { width: 38, isNewest: true }))).toBe(
    38,
  );
});

test('the keys that are told are those that work now', () => {
  const idle: HintScene = {
    isLeaving: false,
    hasDialog: false,
    isSearching: false,
    hasCompletion: false,
    isBusy: false,
    isFollowing: true,
    draft: 'empty',
    canGoOn: false,
  };
  const hint = (change: Partial<HintScene>) =>
    keyHints({ ...idle, ...change })
      .map(({ key, does }) => `${key} ${does}`)
      .join(', ');
  expect(hint({})).toBe('? help');
  expect(hint({ canGoOn: true })).toBe('⏎ goes on, ? help');
  expect(hint({ draft: 'text' })).toBe('⏎ sends');
  expect(hint({ isBusy: true })).toBe('esc stops');
  expect(hint({ isBusy: true, backgroundKey: 'alt+b' })).toBe('esc stops, alt+b background');
  expect(hint({ isBusy: true, draft: 'text' })).toBe('⏎ steers, tab queues, esc stops');
  expect(hint({ draft: 'shell' })).toBe('⏎ runs it');
  expect(hint({ isFollowing: false })).toBe('? help, ctrl+end newest');
  expect(hint({ hasCompletion: true })).toBe('tab completes, esc closes');
  expect(hint({ isLeaving: true, hasDialog: true })).toBe('ctrl+c leaves');
  expect(hint({ hasDialog: true })).toBe('');
});
