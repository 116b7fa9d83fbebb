import { expect, test } from 'vitest';
import type { ModelDirectory } from '#protocol/model-client.ts';
import { answer, call, calls, modelError, say, silence } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  hooksThat,
  openGate,
  openTestThread,
  resultText,
  type TestThread,
  textOf,
} from '../../support/engine/test-thread.ts';
import { peekTool, shellTool, text } from '../../support/engine/test-tools.ts';

/** Presses Esc and expects the turn to be over soon, with one result for every call. */
async function interrupt(thread: TestThread): Promise<void> {
  const pressed = performance.now();
  thread.handle.submit({ kind: 'interrupt' });
  const end = await thread.next('turn-end');
  // Roomy, for a busy machine: what it must catch is an end that waits for the model or the tool.
  expect(performance.now() - pressed).toBeLessThan(2_000);
  expect(end.reason).toBe('aborted');
  expect(callParts(thread.state().messages).every(({ result }) => result !== undefined)).toBe(true);
  expect(thread.state()).toMatchObject({
    live: null,
    turnId: null,
    activeRuns: {},
    permissions: [],
    questions: [],
  });
  await thread.close();
  expect(thread.events.filter(({ kind }) => kind === 'turn-end')).toHaveLength(1);
}

/** A model that sends this and then nothing more, whatever its signal says. */
const hanging = (words: string) =>
  async function* stream() {
    yield* say(words).slice(0, -1);
    await new Promise(() => undefined);
  };

test('while text streams: the partial text stays as an aborted message', async () => {
  const thread = await openTestThread({ script: [hanging('It begins with')] });
  void thread.prompt('go');
  await thread.until(({ live }) => textOf(live ?? undefined) === 'It begins with');
  await interrupt(thread);
  const message = thread.state().messages.at(-1);
  expect(message).toMatchObject({ role: 'assistant', finish: 'aborted' });
  expect(textOf(message)).toBe('It begins with');
});

test('while nothing has come: no empty message stays', async () => {
  const thread = await openTestThread({
    script: [
      async function* stream() {
        await new Promise(() => undefined);
        yield* answer('never');
      },
    ],
  });
  void thread.prompt('go');
  await thread.next('turn-start');
  await thread.until(({ messages }) => messages.length === 1);
  await interrupt(thread);
  expect(thread.state().messages).toHaveLength(1);
});

test('while the arguments of a call stream: half a call is dropped', async () => {
  const thread = await openTestThread({
    script: [
      async function* stream() {
        yield* say('I look.');
        yield* call('peek', { path: 'a' }).slice(0, 2);
        await new Promise(() => undefined);
      },
    ],
  });
  void thread.prompt('go');
  await thread.next('tool-call-start');
  await interrupt(thread);
  expect(callParts(thread.state().messages)).toEqual([]);
});

test('while a tool runs that stops at once: what it gives back is kept', async () => {
  const started = Promise.withResolvers<void>();
  const tool = shellTool({
    run: async (_input, { signal }) => {
      started.resolve();
      await silence(signal);
      return text('half of the output', { status: 'aborted' });
    },
  });
  const thread = await openTestThread({
    tools: [tool],
    script: [calls(call('bash', { command: 'sleep 9' }))],
  });
  void thread.prompt('go');
  await started.promise;
  await interrupt(thread);
  const [part] = callParts(thread.state().messages);
  expect(part?.result?.status).toBe('aborted');
  expect(resultText(part)).toBe('half of the output');
});

test('while a tool ignores its signal: it is left behind and its last output kept', async () => {
  const shown = Promise.withResolvers<void>();
  const tool = shellTool({
    run: async (_input, { progress }) => {
      const rest = { omittedLines: 0, exitCode: null, signal: null, running: true };
      progress({ kind: 'terminal', command: 'x', output: '\x1b[2Jline 1\n', ...rest });
      shown.resolve();
      return new Promise(() => undefined);
    },
  });
  const thread = await openTestThread({
    tools: [tool],
    script: [calls(call('bash', { command: 'x' }), call('bash', { command: 'y' }))],
  });
  void thread.prompt('go');
  await shown.promise;
  await interrupt(thread);
  const [first, second] = callParts(thread.state().messages);
  expect(resultText(first)).toMatch(/\nOutput until then:\nline 1$/);
  expect(first?.result?.view).toMatchObject({ kind: 'terminal', running: false });
  expect(second?.result).toMatchObject({ status: 'aborted', summary: 'not run' });
});

test('while a permission waits', async () => {
  const thread = await openTestThread({
    gate: openGate(() => 'ask'),
    script: [calls(call('poke', { path: 'a' }), call('poke', { path: 'b' }))],
  });
  void thread.prompt('go');
  await thread.next('permission-request');
  await interrupt(thread);
  expect(callParts(thread.state().messages).map(({ result }) => result?.status)).toEqual([
    'aborted',
    'aborted',
  ]);
  const response = await thread.next('permission-response');
  expect(response.answer).toBeNull();
});

test('while a question waits', async () => {
  const thread = await openTestThread({ script: [calls(call('ask_user', { question: 'which?' }))] });
  void thread.prompt('go');
  await thread.next('question-request');
  await interrupt(thread);
});

test('while a retry waits', async () => {
  const thread = await openTestThread({
    script: [
      async function* stream(_request, { signal }) {
        yield { kind: 'retry', attempt: 1, maxAttempts: 5, until: Date.now() + 60_000, error: modelError() };
        await silence(signal);
      },
    ],
  });
  void thread.prompt('go');
  await thread.next('retry-wait');
  await interrupt(thread);
  expect(thread.state().retry).toBeNull();
});

test('while the model opens', async () => {
  const directory: ModelDirectory = { open: () => new Promise(() => undefined) };
  const thread = await openTestThread({ directory });
  void thread.prompt('go');
  await thread.until(({ messages }) => messages.length === 1);
  await interrupt(thread);
});

test('while a hook runs that does not care', async () => {
  const hooks = hooksThat(({ event }) =>
    event === 'tool-before' ? new Promise(() => undefined) : undefined,
  );
  const thread = await openTestThread({ hooks, script: [calls(call('peek', { path: 'a' }))] });
  void thread.prompt('go');
  await thread.next('message-end');
  await interrupt(thread);
});

test('while an early read runs and the message still streams', async () => {
  const tool = peekTool({ run: () => new Promise(() => undefined) });
  const thread = await openTestThread({
    tools: [tool],
    script: [
      async function* stream(_request, { signal }) {
        yield* say('Reading.');
        yield* call('peek', { path: 'a' });
        await silence(signal);
      },
    ],
  });
  void thread.prompt('go');
  await thread.next('tool-run-start');
  await interrupt(thread);
  expect(callParts(thread.state().messages).map(({ result }) => result?.status)).toEqual(['aborted']);
});

test('after an interrupt the next request is valid and tells what happened', async () => {
  const tool = shellTool({
    run: async (_input, { signal }) => silence(signal).then(() => text('?', { status: 'aborted' })),
  });
  const thread = await openTestThread({
    tools: [tool],
    script: [[...say('I run it.'), ...calls(call('bash', { command: 'x' }))], answer('Fine.')],
  });
  void thread.prompt('go');
  await thread.next('tool-run-start');
  thread.handle.submit({ kind: 'interrupt' });
  await thread.turnEnds(1);
  thread.handle.submit({ kind: 'continue' });
  await thread.turnEnds(2);
  expect(thread.model.problems).toEqual([]);
  expect(thread.model.requests).toHaveLength(2);
  expect(textOf(thread.state().messages.at(-1))).toBe('Fine.');
});

test('an interrupt with nothing running does nothing', async () => {
  const thread = await openTestThread({ script: [answer('ok')] });
  thread.handle.submit({ kind: 'interrupt' });
  expect((await thread.prompt('go')).reason).toBe('done');
});

test('closing in mid-turn ends it, once', async () => {
  const thread = await openTestThread({ script: [hanging('half')] });
  void thread.prompt('go');
  await thread.until(({ live }) => live !== null);
  await thread.close();
  const ends = thread.events.filter(({ kind }) => kind === 'turn-end');
  expect(ends).toMatchObject([{ reason: 'aborted' }]);
  await thread.handle.close();
});
