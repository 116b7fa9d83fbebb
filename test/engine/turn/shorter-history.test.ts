import { expect, test } from 'vitest';
import type { Message } from '#protocol/message.ts';
import type { ModelClient, StepRequest } from '#protocol/model-client.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { createTools } from '#tools/index.ts';
import {
  answer,
  call,
  calls,
  done,
  failure,
  scriptedModel,
  testRef,
} from '../../support/engine/scripted-model.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import { callParts, openTestThread, resultText, textOf } from '../../support/engine/test-thread.ts';
import { peekTool, text } from '../../support/engine/test-tools.ts';

const window = (tokens: number) => ({ contextWindow: { value: tokens, origin: 'config' as const } });
const noUsage = (parts: ReturnType<typeof calls>) => [...parts.slice(0, -1), ...done('tool-calls', null)];
const look = (path: string, more = {}) => noUsage(calls(call('peek', { path, ...more })));
const looks = (count: number, name = (index: number) => `f${index}`) =>
  Array.from({ length: count }, (_, index) => look(name(index)));

const recallTool = createTools().find(({ name }) => name === 'recall') as ToolDef;
const tools = [
  peekTool({
    run: async ({ path }) =>
      text(`the secret of ${path} is ${path}-42\n${'filler words here\n'.repeat(270)}`, {
        fileStates: [{ path: `/ws/${path}`, sha256: 'x' }],
      }),
  }),
  recallTool,
];

const lastOf = (requests: readonly StepRequest[]) => requests.at(-1) as StepRequest;
const toolsOf = (request: StepRequest) => request.tools.map(({ name }) => name);

/** A thread whose results were shortened in its first turn, in a window of 12,000 tokens. */
async function shortened(more: Parameters<typeof openTestThread>[0] = {}) {
  const thread = await openTestThread({
    cwd: '/ws',
    tools,
    ...more,
    script: [...looks(14), answer('Done.'), ...(more.script ?? [])],
  });
  Object.assign(thread.model.client.info, window(12_000));
  await thread.prompt('look at everything');
  return thread;
}

test('old results are shortened before anything is summarised, in few batches, and calls keep theirs', async () => {
  const thread = await shortened();
  expect(thread.model.problems).toEqual([]);
  const trims = thread.events.filter(({ kind }) => kind === 'history-trimmed');
  expect(thread.events.some(({ kind }) => kind === 'thread-compacted')).toBe(false);
  expect(trims.length).toBeGreaterThan(0);
  expect(trims.length).toBeLessThan(4);
  const { messages } = lastOf(thread.model.requests);
  const [first, newest] = [callParts(messages)[0], callParts(messages).at(-1)];
  expect(resultText(first)).toMatch(
    /characters of an earlier result left out here; recall with id \S+ has it whole/,
  );
  expect(resultText(first)).toContain('the secret of f0');
  expect(resultText(newest)).not.toContain('left out');
  expect(resultText(callParts(thread.state().messages)[0])).not.toContain('left out');
  await thread.close();
  expectSound(thread.events);
});

test('between two batches each request begins with the one before, byte for byte', async () => {
  const thread = await shortened();
  const sent = thread.model.requests.map(({ messages, tools: offered }) => ({
    messages: messages.map((message) => JSON.stringify(message)),
    offered: JSON.stringify(offered),
  }));
  let breaks = 0;
  for (const [index, { messages, offered }] of sent.entries()) {
    const before = sent[index - 1];
    if (!before) continue;
    const isSame =
      before.messages.every((message, at) => message === messages[at]) && offered === before.offered;
    if (!isSame) breaks += 1;
  }
  expect(breaks).toBe(thread.events.filter(({ kind }) => kind === 'history-trimmed').length);
});

test('a resumed thread sends the same messages in the same form', async () => {
  const first = await shortened({ script: [answer('Yes.')] });
  await first.prompt('is it so?');
  const before = lastOf(first.model.requests);
  await first.close();
  const again = await openTestThread({
    home: first.home,
    cwd: '/ws',
    tools,
    origin: { kind: 'resume', threadId: first.handle.threadId },
    script: [answer('Still yes.')],
  });
  Object.assign(again.model.client.info, window(12_000));
  await again.prompt('still?');
  const { messages, tools: offered, system } = lastOf(again.model.requests);
  const digest = (sent: readonly Message[]) =>
    sent.map((message) => `${message.id} ${callParts([message]).map(resultText)}`);
  expect(digest(messages.slice(0, before.messages.length))).toEqual(digest(before.messages));
  expect({ offered, system }).toEqual({ offered: before.tools, system: before.system });
});

test('a read is dropped when the same file was read or changed again; another part of it is not', async () => {
  const reads = [look('a'), look('b', { limit: 5 }), ...looks(7), look('a'), look('b', { limit: 9 })];
  const thread = await openTestThread({
    cwd: '/ws',
    tools,
    script: [...reads, ...looks(5, (index) => `g${index}`), answer('Done.')],
  });
  Object.assign(thread.model.client.info, window(12_000));
  await thread.prompt('go');
  const [a, b] = callParts(lastOf(thread.model.requests).messages).map(resultText);
  expect(a).toMatch(
    /^\[Left out: this file was read or changed again later; recall with id \S+ has it whole\.\]$/,
  );
  expect(b).toContain('the secret of b');
});

test('several large results at once are cut, and the turn goes on without a summary', async () => {
  const many = noUsage(
    calls(...Array.from({ length: 12 }, (_, index) => call('peek', { path: `f${index}` }))),
  );
  const thread = await openTestThread({ cwd: '/ws', tools, script: [many, answer('Done.')] });
  Object.assign(thread.model.client.info, window(12_000));
  expect((await thread.prompt('all at once')).reason).toBe('done');
  expect(thread.events.some(({ kind }) => kind === 'thread-compacted')).toBe(false);
  const results = callParts(lastOf(thread.model.requests).messages).map(resultText);
  expect(results.filter((result) => result.includes('left out')).length).toBeGreaterThan(4);
  expect(results.some((result) => !result.includes('left out'))).toBe(true);
});

test('results that the model has not seen yet stay whole, also when the person wrote behind them', async () => {
  const together = noUsage(calls(...[1, 2, 3].map((index) => call('peek', { path: `new${index}` }))));
  const thread = await openTestThread({
    cwd: '/ws',
    tools: [
      peekTool({
        run: async ({ path }) => {
          const words = 'look at the sums too';
          if (path === 'new1')
            thread.handle.submit({ kind: 'prompt', text: words, images: [], delivery: 'steer' });
          return text(`${path}\n${'filler words here\n'.repeat(270)}`);
        },
      }),
    ],
    script: [...looks(8), together, answer('Done.')],
  });
  Object.assign(thread.model.client.info, window(12_000));
  await thread.prompt('look at everything');
  const { messages } = lastOf(thread.model.requests);
  expect(textOf(messages.at(-1))).toBe('look at the sums too');
  const results = callParts(messages).map(resultText);
  expect(results.slice(0, 3).every((result) => result.includes('left out'))).toBe(true);
  expect(results.slice(-3).some((result) => result.includes('left out'))).toBe(false);
});

test('recall is offered from the first shortening on, and finds and fetches what was left out', async () => {
  let id = '';
  const thread = await shortened({
    script: [
      noUsage(calls(call('recall', { query: 'secret f0-42' }))),
      (request) => {
        id = /\[(\S+)\] call of peek f0/.exec(resultText(callParts(request.messages).at(-1)))?.[1] ?? '';
        return noUsage(calls(call('recall', { id })));
      },
      noUsage(calls(call('recall', { query: 'a word that nobody said' }))),
      answer('Found.'),
    ],
  });
  expect(toolsOf(thread.model.requests[0] as StepRequest)).toEqual(['peek']);
  expect(toolsOf(lastOf(thread.model.requests))).toEqual(['peek', 'recall']);
  expect((await thread.prompt('what was the secret?')).reason).toBe('done');
  expect(thread.model.problems).toEqual([]);
  const [, found, fetched, nothing] = callParts(thread.state().messages).slice(-4).map(resultText);
  expect(found).toContain('the secret of f0 is f0-42');
  expect(fetched).toBe(
    `[call of peek f0 (ok)]\n${JSON.stringify({ path: 'f0' })}\n${resultText(callParts(thread.state().messages)[0])}`,
  );
  expect(nothing).toContain('Do not repeat the search');
});

test('the person takes a summary back, also after a resume, and the model gets again what it had', async () => {
  const thread = await openTestThread({
    script: [answer(`Long ${'answer '.repeat(400)}`), answer('We talked.'), answer('Yes.')],
  });
  await thread.prompt('first');
  thread.handle.submit({ kind: 'compact' });
  await thread.next('compaction-end');
  expect(thread.state().compaction).not.toBeNull();
  await thread.close();
  const again = await openTestThread({
    home: thread.home,
    origin: { kind: 'resume', threadId: thread.handle.threadId },
    script: [answer('Yes.')],
  });
  again.handle.submit({ kind: 'undo-compaction' });
  await again.next('compaction-undone');
  expect(again.state()).toMatchObject({ compaction: null, trims: {} });
  await again.prompt('second');
  const { messages } = lastOf(again.model.requests);
  expect(messages.map(textOf)).toEqual(['first', `Long ${'answer '.repeat(400)}`, 'second']);
  again.handle.submit({ kind: 'undo-compaction' });
  const isSecond = (words: string) => words.includes('undone already');
  await again.next('notice-added', ({ notice }) => isSecond(notice.text));
  await thread.close();
  expectSound(thread.events);
});

test('shortened results come back too, when they still fit, and then the window is used to its end', async () => {
  const thread = await shortened({ script: [answer('Yes.')] });
  const rewrites = () => thread.events.filter(({ kind }) => kind === 'history-trimmed').length;
  const before = rewrites();
  thread.handle.submit({ kind: 'undo-compaction' });
  const said = await thread.next('notice-added', ({ notice }) => notice.text.includes('tokens'));
  const isUndone = said.notice.text.includes('is undone');
  expect(thread.events.some(({ kind }) => kind === 'compaction-undone')).toBe(isUndone);
  if (!isUndone) expect(said.notice.text).toContain('does not fit any more');
  await thread.prompt('go on');
  expect(rewrites() - before).toBeLessThanOrEqual(1);
});

test('the model that the settings name for it summarises; when it fails the own model does', async () => {
  const small = { provider: 'test', model: 'small' };
  const summariser = scriptedModel([answer('The short of it.'), failure()], { ref: small });
  const clients = new Map<string, ModelClient>([['small', summariser.client]]);
  const own = scriptedModel([
    answer(`Long ${'answer '.repeat(400)}`),
    answer(`Longer ${'answer '.repeat(400)}`),
    answer('My own words.'),
  ]);
  clients.set(testRef.model, own.client);
  const thread = await openTestThread({
    directory: {
      open: async ({ model }) => clients.get(model) ?? own.client,
      route: async (purpose) => (purpose === 'compaction' ? [small] : []),
    },
  });
  await thread.prompt('first');
  thread.handle.submit({ kind: 'compact' });
  const { model } = await thread.next('compaction-end');
  expect(model).toEqual(small);
  expect(thread.state().compaction?.summary).toContain('The short of it.');
  await thread.prompt('more');
  thread.handle.submit({ kind: 'compact' });
  await thread.until(({ compaction }) => compaction?.summary.includes('My own words.') ?? false);
  expect(summariser.left()).toBe(0);
});
