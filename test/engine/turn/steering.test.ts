import { expect, test } from 'vitest';
import { answer, call, calls, failure, silence } from '../../support/engine/scripted-model.ts';
import { hooksThat, openTestThread, type TestThread, textOf } from '../../support/engine/test-thread.ts';
import { peekTool, text } from '../../support/engine/test-tools.ts';

const say = (thread: TestThread, words: string, delivery: 'steer' | 'queue') =>
  thread.handle.submit({ kind: 'prompt', text: words, images: [], delivery });

const spoken = (thread: TestThread) =>
  thread
    .state()
    .messages.filter(({ origin }) => origin === 'person' || origin === 'steer')
    .map(textOf);

/** A tool that runs until it is let go. */
function gatedTool() {
  const started = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const tool = peekTool({
    run: async (_input, { signal }) => {
      started.resolve();
      await Promise.race([letGo.promise, silence(signal)]);
      return text('seen');
    },
  });
  return { tool, started: started.promise, letGo: () => letGo.resolve() };
}

test('a steering message goes in after the results and before the next model call', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  const ended = thread.prompt('first');
  await gated.started;
  say(thread, 'also look at b', 'steer');
  await thread.next('pending-changed');
  expect(thread.state().pending).toMatchObject([{ text: 'also look at b', delivery: 'steer' }]);
  gated.letGo();
  await ended;
  const messages = thread.model.requests[1]?.messages ?? [];
  expect(messages.map(({ role, origin }) => origin ?? role)).toEqual(['person', 'assistant', 'steer']);
  expect(thread.state().pending).toEqual([]);
  expect(thread.model.problems).toEqual([]);
});

test('a steering message that comes while the last answer streams is answered in the same turn', async () => {
  const letGo = Promise.withResolvers<void>();
  const thread = await openTestThread({
    script: [
      async function* stream() {
        await letGo.promise;
        yield* answer('First.');
      },
      answer('Second.'),
    ],
  });
  const ended = thread.prompt('first');
  await thread.until(({ messages }) => messages.length === 1);
  say(thread, 'wait, also this', 'steer');
  await thread.next('pending-changed');
  letGo.resolve();
  expect(await ended).toMatchObject({ reason: 'done', steps: 2 });
  expect(spoken(thread)).toEqual(['first', 'wait, also this']);
});

test('queued messages are sent after the turn, one turn each', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    script: [calls(call('peek', { path: 'a' })), answer('one'), answer('two'), answer('three')],
  });
  void thread.prompt('first');
  await gated.started;
  say(thread, 'second', 'queue');
  say(thread, 'third', 'queue');
  gated.letGo();
  await thread.turnEnds(3);
  expect(spoken(thread)).toEqual(['first', 'second', 'third']);
  expect(thread.model.requests).toHaveLength(4);
});

test('a message that waits can be taken back', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  const ended = thread.prompt('first');
  await gated.started;
  say(thread, 'never mind', 'steer');
  await thread.until(({ pending }) => pending.length === 1);
  thread.handle.submit({ kind: 'take-back', pendingId: thread.state().pending[0]?.id ?? '' });
  await thread.until(({ pending }) => pending.length === 0);
  gated.letGo();
  await ended;
  expect(spoken(thread)).toEqual(['first']);
});

test('after an interrupt what waits goes on waiting, and an empty prompt sends it', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  void thread.prompt('first');
  await gated.started;
  say(thread, 'steered', 'steer');
  say(thread, 'queued', 'queue');
  thread.handle.submit({ kind: 'interrupt' });
  await thread.turnEnds(1);
  expect(thread.state().pending.map((pending) => pending.text)).toEqual(['steered', 'queued']);
  expect(thread.model.requests).toHaveLength(1);
  say(thread, '', 'steer');
  await thread.turnEnds(2);
  expect(spoken(thread)).toEqual(['first', 'steered', 'queued']);
  expect(thread.state().pending).toEqual([]);
});

test('a prompt that is typed right after an interrupt is sent when the turn has wound down', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  void thread.prompt('first');
  await gated.started;
  thread.handle.submit({ kind: 'interrupt' });
  say(thread, 'do this instead', 'steer');
  await thread.turnEnds(2);
  expect(spoken(thread)).toEqual(['first', 'do this instead']);
});

test('after a failed turn what waits is not sent by itself', async () => {
  const letGo = Promise.withResolvers<void>();
  const thread = await openTestThread({
    script: [
      async function* stream() {
        await letGo.promise;
        yield* failure();
      },
      answer('ok'),
    ],
  });
  void thread.prompt('first');
  await thread.until(({ messages }) => messages.length === 1);
  say(thread, 'second', 'queue');
  letGo.resolve();
  await thread.turnEnds(1);
  expect(thread.state().pending).toHaveLength(1);
  await thread.prompt('third');
  expect(spoken(thread)).toEqual(['first', 'second', 'third']);
});

test('a hook refuses a steering message without ending the turn', async () => {
  const gated = gatedTool();
  const thread = await openTestThread({
    tools: [gated.tool],
    hooks: hooksThat((event) =>
      event.event === 'prompt-submit' && event.prompt === 'bad'
        ? { decision: 'deny', reason: 'no' }
        : undefined,
    ),
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  const ended = thread.prompt('first');
  await gated.started;
  say(thread, 'bad', 'steer');
  gated.letGo();
  expect((await ended).reason).toBe('done');
  expect(spoken(thread)).toEqual(['first']);
  expect(thread.state().pending).toEqual([]);
});

test('the mode that only reads is told to the model, and its end too, without touching earlier messages', async () => {
  const thread = await openTestThread({
    mode: 'plan',
    script: [answer('a plan'), answer('done'), answer('more')],
  });
  await thread.prompt('plan it');
  thread.handle.submit({ kind: 'set-mode', mode: 'workspace_write' });
  await thread.prompt('do it');
  thread.handle.submit({ kind: 'set-mode', mode: 'prompt' });
  await thread.prompt('more');
  const [first, second, third] = thread.model.requests;
  expect(first?.messages.some((message) => textOf(message).includes('Plan mode is on'))).toBe(true);
  expect(second?.messages.slice(0, 3)).toEqual([...(first?.messages ?? []), thread.state().messages[2]]);
  expect(textOf(second?.messages.at(-1))).toContain('The mode is over');
  expect(third?.messages.filter(({ origin }) => origin === 'engine')).toHaveLength(2);
  expect(first?.system).toEqual(third?.system);
});
