import { expect, test } from 'vitest';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import { type EngineEvent, type EventBody, engineEventSchema } from '#protocol/event.ts';
import type { ToolResultRecord } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { threadStateSchema } from '#protocol/thread-state.ts';

const start = emptyThreadState({ threadId: 'T1', cwd: '/ws', mode: 'prompt' });
const model = { provider: 'test', model: 'm' };
const usage = { input: 100, output: 20, cacheRead: 10, cacheWrite: 0, reasoning: 5 };
const result = (text: string): ToolResultRecord => ({
  status: 'ok',
  forModel: [{ kind: 'text', text }],
  durationMs: 1,
});

function fold(bodies: readonly EventBody[], from: ThreadState = start): ThreadState {
  return bodies.reduce(
    (state, body, index) =>
      applyEvent(state, {
        ...body,
        threadId: 'T1',
        turnId: 'turn',
        seq: from.seq + index + 1,
        at: 7,
      } as EngineEvent),
    from,
  );
}

const textMessage: EventBody[] = [
  { kind: 'message-start', messageId: 'm1', model },
  { kind: 'text-start', messageId: 'm1', partId: 'p1' },
  { kind: 'text-delta', messageId: 'm1', partId: 'p1', text: 'Hel' },
  { kind: 'text-delta', messageId: 'm1', partId: 'p1', text: 'lo' },
];
const callMessage: EventBody[] = [
  { kind: 'message-start', messageId: 'm2', model },
  { kind: 'tool-call-start', messageId: 'm2', partId: 'p2', callId: 'c1', tool: 'bash' },
  {
    kind: 'tool-call-end',
    messageId: 'm2',
    part: { kind: 'tool-call', id: 'p2', callId: 'c1', tool: 'bash', input: { command: 'ls' } },
  },
];
const end = (messageId: string): EventBody => ({
  kind: 'message-end',
  messageId,
  finish: 'stop',
  usage,
  costUsd: 0.5,
});

test('deltas build the live message and touch nothing else', () => {
  const before = fold([
    { kind: 'message-added', message: { id: 'u', role: 'user', parts: [], createdAt: 0 } },
  ]);
  const after = fold(textMessage, before);
  expect(after.live?.parts).toEqual([{ kind: 'text', id: 'p1', text: 'Hello' }]);
  expect(after.messages).toBe(before.messages);
});

test('the end of a message moves it to the others and counts its cost', () => {
  const state = fold([...textMessage, end('m1')]);
  expect(state.live).toBeNull();
  expect(state.messages).toMatchObject([{ id: 'm1', finish: 'stop', usage, model }]);
  expect(state.totals).toMatchObject({ input: 100, output: 20, cacheRead: 10, steps: 1, costUsd: 0.5 });
  expect(state.contextTokens).toBe(120);
});

test('parts of which only the start is known are dropped with the end of the message', () => {
  const state = fold([
    { kind: 'message-start', messageId: 'm1', model },
    { kind: 'text-start', messageId: 'm1', partId: 'p1' },
    { kind: 'tool-call-start', messageId: 'm1', partId: 'p2', callId: 'c', tool: 'bash' },
    end('m1'),
  ]);
  expect(state.messages[0]?.parts).toEqual([]);
});

test('the first result of a call stands, in the live message and in a finished one', () => {
  const first: EventBody = { kind: 'tool-run-end', messageId: 'm2', callId: 'c1', result: result('first') };
  const second: EventBody = { kind: 'tool-run-end', messageId: 'm2', callId: 'c1', result: result('second') };
  for (const events of [
    [...callMessage, first, second, end('m2')],
    [...callMessage, end('m2'), first, second],
  ]) {
    const [part] = fold(events).messages[0]?.parts ?? [];
    expect(part?.kind === 'tool-call' && part.result).toEqual(result('first'));
  }
});

test('a run is active from its start to its end, with its newest view', () => {
  const view = (text: string) => ({ kind: 'text' as const, text });
  const running = fold([
    ...callMessage,
    end('m2'),
    { kind: 'tool-run-start', messageId: 'm2', callId: 'c1' },
    { kind: 'tool-run-progress', messageId: 'm2', callId: 'c1', view: view('a') },
    { kind: 'tool-run-progress', messageId: 'm2', callId: 'c1', view: view('b') },
    { kind: 'tool-run-progress', messageId: 'm2', callId: 'other', view: view('c') },
  ]);
  expect(running.activeRuns).toEqual({ c1: { startedAt: 7, progress: view('b') } });
  const ended = fold([{ kind: 'tool-run-end', messageId: 'm2', callId: 'c1', result: result('x') }], running);
  expect(ended.activeRuns).toEqual({});
});

test('the end of a turn leaves nothing open and keeps what a broken message had', () => {
  const state = fold([
    { kind: 'turn-start' },
    ...textMessage,
    { kind: 'turn-end', reason: 'aborted', text: 'stopped', steps: 1, durationMs: 5 },
  ]);
  expect(state).toMatchObject({
    live: null,
    turnId: null,
    turnStartedAt: null,
    lastTurnEnd: { reason: 'aborted', text: 'stopped' },
    messages: [{ id: 'm1', finish: 'aborted', parts: [{ text: 'Hello' }] }],
  });
});

test('a discarded message is gone', () => {
  expect(fold([...textMessage, { kind: 'message-discarded', messageId: 'm1' }])).toMatchObject({
    live: null,
    messages: [],
  });
});

test('a compaction keeps the messages and says what is sent instead', () => {
  const state = fold([
    ...textMessage,
    end('m1'),
    { kind: 'compaction-start', automatic: true },
    { kind: 'thread-compacted', summary: 's', keptFrom: null, tokensBefore: 100, tokensAfter: 30 },
    { kind: 'compaction-end', usage, costUsd: 0.25 },
  ]);
  expect(state.messages).toHaveLength(1);
  expect(state.compaction).toEqual({ summary: 's', keptFrom: null, messagesBefore: 1 });
  expect(state).toMatchObject({ contextTokens: 30, isCompacting: false });
  expect(state.totals).toMatchObject({ steps: 2, costUsd: 0.75 });
});

test('questions and permissions leave when they are answered', () => {
  const request = { id: 'r1', callId: 'c1', tool: 'bash', title: 'ls', input: {}, cwd: '/ws', reasons: [] };
  const question = {
    id: 'q1',
    callId: 'c2',
    questions: [{ question: '?', options: [], multiSelect: false }],
  };
  const asked = fold([
    { kind: 'permission-request', request },
    { kind: 'question-request', request: question },
  ]);
  expect(asked).toMatchObject({ permissions: [request], questions: [question] });
  const answered = fold(
    [
      { kind: 'permission-response', requestId: 'r1', answer: null },
      { kind: 'question-response', requestId: 'q1', answer: [['a']] },
    ],
    asked,
  );
  expect(answered).toMatchObject({ permissions: [], questions: [] });
});

test('a snapshot replaces everything', () => {
  const state = { ...start, name: 'other', seq: 40 };
  const event: EngineEvent = { kind: 'thread-snapshot', threadId: 'T1', turnId: null, seq: 40, at: 0, state };
  expect(applyEvent(fold(textMessage), event)).toBe(state);
});

test('states and events are plain data that their schemas read back as they were', () => {
  const state = fold([{ kind: 'turn-start' }, ...textMessage, end('m1'), ...callMessage]);
  expect(threadStateSchema.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  for (const body of [...textMessage, ...callMessage, end('m1')]) {
    const event = { ...body, threadId: 'T1', turnId: null, seq: 1, at: 1 };
    expect(engineEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
  }
});

test('an input that holds __proto__ or constructor stays plain data', () => {
  const input = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x"}');
  const part = { kind: 'tool-call', id: 'p', callId: 'c', tool: '__proto__', input };
  const event = engineEventSchema.parse({
    kind: 'tool-call-end',
    messageId: 'm',
    part,
    threadId: 'T',
    turnId: null,
    seq: 1,
    at: 1,
  });
  expect(event.kind).toBe('tool-call-end');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
