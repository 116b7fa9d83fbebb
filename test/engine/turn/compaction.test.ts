import { expect, test } from 'vitest';
import type { StepRequest } from '#protocol/model-client.ts';
import { workingNotes } from '#tools/working-notes.ts';
import { answer, call, calls, done, failure, type ScriptStep } from '../../support/engine/scripted-model.ts';
import { openTestThread, textOf } from '../../support/engine/test-thread.ts';
import { peekTool, pokeTool, text, todoTool } from '../../support/engine/test-tools.ts';

const isSummaryRequest = ({ tools, system }: StepRequest) =>
  tools.length === 0 && (system[0] ?? '').includes('condense the transcript');

/** Answers summaries with this text and everything else from the script. */
function withSummaries(thread: { model: { client: { stream: unknown } } }, summary: ScriptStep) {
  const { client } = thread.model;
  const stream = client.stream as (
    request: StepRequest,
    options: { signal: AbortSignal },
  ) => AsyncIterable<unknown>;
  const summaries: StepRequest[] = [];
  client.stream = (request: StepRequest, options: { signal: AbortSignal }) => {
    if (!isSummaryRequest(request)) return stream(request, options);
    summaries.push(request);
    const parts = typeof summary === 'function' ? summary(request, options) : summary;
    return (async function* replay() {
      yield* parts;
    })();
  };
  return summaries;
}

const noUsage = (parts: ReturnType<typeof calls>) => [...parts.slice(0, -1), ...done('tool-calls', null)];
const window = (tokens: number) => ({ contextWindow: { value: tokens, origin: 'config' as const } });

const tools = [
  peekTool({
    run: async ({ path }) =>
      text(`${path} `.repeat(700), { fileStates: [{ path: `/ws/${path}`, sha256: 'x' }] }),
  }),
  pokeTool({
    run: async ({ path }) => text('changed', { fileStates: [{ path: `/ws/${path}`, sha256: 'y' }] }),
  }),
  todoTool(),
];

test('a long turn is compacted before the window is full; goals, todos and files are kept', async () => {
  const steps = Array.from({ length: 16 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` }))));
  const todos = [{ content: 'fix the sum', status: 'in_progress' as const }];
  const thread = await openTestThread({
    cwd: '/ws',
    tools,
    script: [
      noUsage(calls(call('todo_write', { todos }), call('poke', { path: 'sum.ts' }))),
      ...steps,
      answer('Done.'),
    ],
  });
  Object.assign(thread.model.client.info, window(12_000));
  const summaries = withSummaries(thread, answer('## Goal\nthe sum'));
  const end = await thread.prompt('Make the sum right, and never touch the tests.');
  expect(end.reason).toBe('done');
  expect(thread.model.problems).toEqual([]);
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries.length).toBeLessThan(6);
  const compacted = await thread.next('thread-compacted');
  expect(compacted.tokensAfter).toBeLessThan(compacted.tokensBefore * 0.67);
  const first = textOf(thread.model.requests.at(-1)?.messages[0]);
  expect(first).toContain('> Make the sum right, and never touch the tests.');
  expect(first).toContain('## Goal\nthe sum');
  expect(first).toContain('- [~] fix the sum');
  expect(first).toContain('## Files changed\nsum.ts');
  expect(first).toContain('f0');
  for (const { messages } of thread.model.requests)
    expect(messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)).toBeLessThan(
      12_000 * 4,
    );
});

test('when the model cannot summarise, a digest takes its place', async () => {
  const steps = Array.from({ length: 20 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` }))));
  const thread = await openTestThread({ cwd: '/ws', tools, script: [...steps, answer('Done.')] });
  Object.assign(thread.model.client.info, window(12_000));
  withSummaries(thread, failure());
  expect((await thread.prompt('go on')).reason).toBe('done');
  const { summary } = await thread.next('thread-compacted');
  expect(summary).toContain('[peek f0 -> ok]');
  expect((await thread.next('notice-added')).notice.text).toContain('made without a model');
});

test('an empty summary is never taken', async () => {
  const steps = Array.from({ length: 20 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` }))));
  const thread = await openTestThread({ cwd: '/ws', tools, script: [...steps, answer('Done.')] });
  Object.assign(thread.model.client.info, window(12_000));
  withSummaries(thread, done());
  await thread.prompt('go on');
  const { summary } = await thread.next('thread-compacted');
  expect(summary).toContain('[peek f0 -> ok]');
});

test('an overflow is answered with shorter results and the call is made again', async () => {
  const thread = await openTestThread({
    cwd: '/ws',
    tools,
    script: [
      ...Array.from({ length: 6 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` })))),
      failure({ class: 'overflow' }),
      answer('Done.'),
    ],
  });
  withSummaries(thread, answer('what happened'));
  const end = await thread.prompt('go');
  expect(end.reason).toBe('done');
  expect(thread.events.filter(({ kind }) => kind === 'history-trimmed')).toHaveLength(1);
  expect(thread.events.filter(({ kind }) => kind === 'thread-compacted')).toEqual([]);
  expect(thread.model.problems).toEqual([]);
});

test('an overflow that stays ends the turn after three attempts to make room', async () => {
  const overflow = failure({ class: 'overflow' });
  const thread = await openTestThread({
    cwd: '/ws',
    tools,
    script: [
      ...Array.from({ length: 6 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` })))),
      overflow,
      overflow,
      overflow,
      overflow,
    ],
  });
  withSummaries(thread, answer('what happened'));
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'error', error: { class: 'overflow' } });
  const rewrites = thread.events.filter(
    ({ kind }) => kind === 'thread-compacted' || kind === 'history-trimmed',
  );
  expect(rewrites.length).toBeLessThanOrEqual(3);
});

test('a summary that frees nothing is not taken, and after two of them it is not tried again', async () => {
  const steps = Array.from({ length: 20 }, (_, index) => noUsage(calls(call('peek', { path: `f${index}` }))));
  const thread = await openTestThread({
    cwd: '/ws',
    tools: tools.slice(0, 1),
    script: [...steps, answer('Done.')],
  });
  // The system prompt and the tools alone are above the threshold.
  Object.assign(thread.model.client.info, window(2_600));
  const summaries = withSummaries(thread, answer('word '.repeat(6_000)));
  await thread.prompt('go');
  expect(summaries.length).toBeLessThanOrEqual(14);
  expect(thread.events.filter(({ kind }) => kind === 'compaction-end')).toHaveLength(summaries.length);
});

test('the person compacts an idle thread; the next request begins with the summary', async () => {
  const thread = await openTestThread({ script: [answer(`Long ${'answer '.repeat(400)}`), answer('Yes.')] });
  const summaries = withSummaries(thread, answer('We talked.'));
  await thread.prompt('first');
  thread.handle.submit({ kind: 'compact', focus: 'the names' });
  await thread.next('compaction-end');
  expect(textOf(summaries[0]?.messages[0])).toContain('the names');
  expect((await thread.next('notice-added')).notice.text).toMatch(
    /about [\d,]+ tokens became [\d,]+ \(2 messages\)\./,
  );
  await thread.prompt('second');
  const messages = thread.model.requests.at(-1)?.messages ?? [];
  expect(textOf(messages[0])).toContain('We talked.');
  expect(messages.map(({ origin }) => origin)).toEqual(['engine', 'person']);
  expect(thread.model.problems).toEqual([]);
});

test('working notes go through every summary word for word, and may be rewritten', async () => {
  const long = (text: string) => `${text} ${'and more '.repeat(400)}`;
  const thread = await openTestThread({
    tools: [...tools, workingNotes],
    script: [
      calls(call('working_notes', { notes: 'Port 8081 is taken; use 8082.' })),
      answer(long('Noted.')),
      answer(long('Still known.')),
      calls(call('working_notes', { notes: 'Port 8083.' })),
      answer(long('Changed.')),
      answer('Known.'),
    ],
  });
  withSummaries(thread, answer('## Goal\nthe server'));
  const compact = async () => {
    thread.handle.submit({ kind: 'compact' });
    await thread.next('compaction-end');
  };
  const firstOf = () => textOf(thread.model.requests.at(-1)?.messages[0]);
  await thread.prompt('Start the server.');
  await compact();
  await thread.prompt('And?');
  expect(firstOf()).toContain('## Your working notes\nPort 8081 is taken; use 8082.');
  await thread.prompt('Another port.');
  await compact();
  await thread.prompt('And now?');
  expect(firstOf()).toContain('## Your working notes\nPort 8083.');
  expect(firstOf()).not.toContain('8081');
});

test('the cost of a summary is counted', async () => {
  const thread = await openTestThread({ script: [answer(`Long ${'answer '.repeat(400)}`)] });
  const usage = { input: 1_000, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  withSummaries(thread, [...answer('We talked.').slice(0, -1), ...done('stop', usage, 0.25)]);
  await thread.prompt('first');
  thread.handle.submit({ kind: 'compact' });
  await thread.next('compaction-end');
  expect(thread.state().totals).toMatchObject({ costUsd: 0.25, steps: 2 });
});

test('what the person just said is never summarised away: if it is too long, that is the answer', async () => {
  const thread = await openTestThread({ script: [answer('ok'), failure({ class: 'overflow' })] });
  Object.assign(thread.model.client.info, window(6_000));
  const summaries = withSummaries(thread, answer('short'));
  await thread.prompt('hi');
  const end = await thread.prompt(`look at this: ${'word '.repeat(6_000)}`);
  expect(end).toMatchObject({ reason: 'error', error: { class: 'overflow' } });
  expect(textOf(thread.model.requests.at(-1)?.messages.at(-1))).toContain('look at this');
  expect(summaries.length).toBeLessThanOrEqual(2);
});

test('there is nothing to compact in a new thread', async () => {
  const thread = await openTestThread();
  thread.handle.submit({ kind: 'compact' });
  expect((await thread.next('notice-added')).notice.text).toContain('nothing to compact');
});

test('an interrupt stops a compaction and leaves the history as it was', async () => {
  const thread = await openTestThread({ script: [answer(`Long ${'answer '.repeat(400)}`)] });
  withSummaries(thread, async function* hang() {
    await new Promise(() => undefined);
    yield* answer('never');
  });
  await thread.prompt('first');
  thread.handle.submit({ kind: 'compact' });
  await thread.next('compaction-start');
  thread.handle.submit({ kind: 'interrupt' });
  await thread.next('compaction-end');
  expect(thread.state().compaction).toBeNull();
});
