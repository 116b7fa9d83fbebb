import { expect, test } from 'vitest';
import type { ModelRef } from '#protocol/model-ref.ts';
import { answer, call, calls, scriptedModel } from '../../support/engine/scripted-model.ts';
import { openTestThread } from '../../support/engine/test-thread.ts';
import { peekTool, text } from '../../support/engine/test-tools.ts';

const otherRef: ModelRef = { provider: 'test', model: 'other' };

test('the model is announced with its window when it has been opened', async () => {
  const thread = await openTestThread({ script: [answer('ok')] });
  const event = await thread.next('model-switched');
  expect(event).toMatchObject({ model: { model: 'scripted' }, contextWindow: 100_000 });
});

test('a switch in mid-turn takes effect before the next model call', async () => {
  const other = scriptedModel([answer('from the other')], { ref: otherRef });
  const running = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const tool = peekTool({
    run: async () => {
      running.resolve();
      await letGo.promise;
      return text('seen');
    },
  });
  const first = scriptedModel([calls(call('peek', { path: 'a' }))]);
  const thread = await openTestThread({
    tools: [tool],
    directory: { open: async ({ model }) => (model === 'other' ? other.client : first.client) },
  });
  const ended = thread.prompt('go');
  await running.promise;
  thread.handle.submit({ kind: 'switch-model', model: otherRef });
  letGo.resolve();
  expect((await ended).reason).toBe('done');
  expect(other.requests).toHaveLength(1);
  expect(other.problems).toEqual([]);
  const answers = thread.state().messages.filter(({ role }) => role === 'assistant');
  expect(answers.map(({ model }) => model?.model)).toEqual(['scripted', 'other']);
  expect(thread.state().model).toEqual(otherRef);
});

test('a prompt that follows a switch waits for it', async () => {
  const other = scriptedModel([answer('from the other')], { ref: otherRef });
  const first = scriptedModel([]);
  const thread = await openTestThread({
    directory: {
      open: async ({ model }) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return model === 'other' ? other.client : first.client;
      },
    },
  });
  thread.handle.submit({ kind: 'switch-model', model: otherRef });
  await thread.prompt('go');
  expect(other.requests).toHaveLength(1);
});

test.each(['idle', 'busy'])('with a compaction wanted first, the old model makes it: %s', async (when) => {
  const running = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const tool = peekTool({
    run: async () => {
      running.resolve();
      await letGo.promise;
      return text('seen');
    },
  });
  const other = scriptedModel([answer('from the other')], { ref: otherRef });
  const isBusy = when === 'busy';
  // Long enough that a tenth of the window does not hold it.
  const long = 'a long answer '.repeat(4_000);
  const first = scriptedModel([
    answer(long),
    answer(long),
    ...(isBusy ? [calls(call('peek', { path: 'a' }))] : []),
    answer('A summary of what was said.'),
  ]);
  const thread = await openTestThread({
    tools: [tool],
    directory: { open: async ({ model }) => (model === 'other' ? other.client : first.client) },
  });
  await thread.prompt('one');
  await thread.prompt('two');
  const action = { kind: 'switch-model', model: otherRef, compactFirst: true } as const;
  if (isBusy) {
    const ended = thread.prompt('three');
    await running.promise;
    thread.handle.submit(action);
    letGo.resolve();
    await ended;
  } else {
    thread.handle.submit(action);
    await thread.until((state) => state.model?.model === 'other');
    await thread.prompt('three');
  }
  expect(first.requests.at(-1)?.tools).toEqual([]);
  expect(other.requests).toHaveLength(1);
  expect(JSON.stringify(other.requests[0]?.messages)).toContain('A summary of what was said.');
  expect(thread.state().model).toEqual(otherRef);
});

test('a model that does not open leaves the old one in its place', async () => {
  const first = scriptedModel([answer('still here')]);
  const thread = await openTestThread({
    directory: {
      open: async ({ model }) => {
        if (model === 'other') throw new Error('no key for other');
        return first.client;
      },
    },
  });
  thread.handle.submit({ kind: 'switch-model', model: otherRef });
  const { notice } = await thread.next('notice-added');
  expect(notice).toMatchObject({ level: 'error', text: 'no key for other' });
  expect((await thread.prompt('go')).reason).toBe('done');
  expect(thread.state().model).toMatchObject({ model: 'scripted' });
});

test('the prefix of the requests of a thread never changes', async () => {
  const script = Array.from({ length: 6 }, (_, index) => calls(call('peek', { path: `file${index}` })));
  const thread = await openTestThread({ script: [...script, answer('one'), answer('two')] });
  await thread.prompt('go');
  await thread.prompt('more');
  const { requests } = thread.model;
  for (const [index, request] of requests.slice(1).entries()) {
    const before = requests[index];
    expect(request.system).toEqual(before?.system);
    expect(request.tools).toEqual(before?.tools);
    expect(request.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
  }
});
