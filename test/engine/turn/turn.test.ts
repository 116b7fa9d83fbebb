import { expect, test } from 'vitest';
import { answer, call, calls, think } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText, textOf } from '../../support/engine/test-thread.ts';

test('a prompt is answered and leaves one turn with its message', async () => {
  const thread = await openTestThread({ script: [[...think('hm'), ...answer('Hello there.')]] });
  const end = await thread.prompt('hi');
  expect(end).toMatchObject({ reason: 'done', steps: 1 });
  expect(thread.state().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(textOf(thread.state().messages[1])).toBe('Hello there.');
  expect(thread.state().totals).toMatchObject({ input: 900, output: 20, steps: 1 });
  expect(thread.model.problems).toEqual([]);
});

test('calls run, their results go back in the order of the calls, and the turn goes on', async () => {
  const thread = await openTestThread({
    script: [
      calls(call('peek', { path: 'a' }), call('poke', { path: 'b' }), call('peek', { path: 'c' })),
      answer('Done.'),
    ],
  });
  await thread.prompt('do it');
  const parts = callParts(thread.model.requests[1]?.messages ?? []);
  expect(parts.map((part) => resultText(part))).toEqual(['saw a', 'changed b', 'saw c']);
  expect(thread.model.problems).toEqual([]);
});
