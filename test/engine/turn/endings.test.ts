import { expect, test } from 'vitest';
import { engineSettings } from '#engine/settings.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { answer, call, calls, done, failure, modelError, say } from '../../support/engine/scripted-model.ts';
import { hooksThat, openTestThread, textOf } from '../../support/engine/test-thread.ts';

const noticesOf = (thread: { events: readonly { kind: string }[] }) =>
  thread.events.flatMap((event) =>
    event.kind === 'notice-added' && 'notice' in event ? [(event.notice as { text: string }).text] : [],
  );

test('the step limit pauses the turn, and continue goes on from there', async () => {
  const thread = await openTestThread({
    settings: engineSettings.parse({ max_steps: 2 }),
    script: [calls(call('peek', { path: 'a' })), calls(call('peek', { path: 'b' })), answer('All seen.')],
  });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'step-limit', steps: 2 });
  expect(end.text).toContain('continue');
  thread.handle.submit({ kind: 'continue' });
  await thread.turnEnds(2);
  expect(textOf(thread.state().messages.at(-1))).toBe('All seen.');
  expect(thread.state().messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(thread.model.problems).toEqual([]);
});

test('the budget stops before the call that would pass it', async () => {
  const price = { value: { input: 10, output: 10 }, origin: 'config' as const };
  const thread = await openTestThread({
    settings: engineSettings.parse({ max_budget_usd: 0.02 }),
    script: [
      [...calls(call('peek', { path: 'a' })).slice(0, -1), ...done('tool-calls', undefined, 0.015)],
      answer('never'),
    ],
  });
  Object.assign(thread.model.client.info, { local: false, price });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'budget', steps: 1 });
  expect(end.text).toContain('$0.02');
  expect(thread.model.left()).toBe(1);
});

test('an unknown price is said once when there is a budget', async () => {
  const thread = await openTestThread({
    settings: engineSettings.parse({ max_budget_usd: 1 }),
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  Object.assign(thread.model.client.info, { local: false });
  await thread.prompt('go');
  expect(noticesOf(thread).filter((text) => text.includes('price'))).toHaveLength(1);
});

test('an empty answer gets one nudge, a second one ends the turn with the reason', async () => {
  const thread = await openTestThread({ script: [done(), done()] });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('halted');
  expect(end.text).toContain('nothing');
  expect(thread.model.requests).toHaveLength(2);
  expect(thread.model.problems).toEqual([]);
});

test('after the nudge an answer is an answer', async () => {
  const thread = await openTestThread({ script: [done(), answer('Here it is.')] });
  expect((await thread.prompt('go')).reason).toBe('done');
});

test('a cut answer is continued, and said to be cut', async () => {
  const thread = await openTestThread({
    script: [[...say('One, two,'), ...done('length')], answer(' three.')],
  });
  expect((await thread.prompt('count')).reason).toBe('done');
  expect(noticesOf(thread).join()).toContain('cut at the output limit');
  const last = thread.model.requests[1]?.messages.at(-1);
  expect(last).toMatchObject({ role: 'user', origin: 'engine' });
  expect(textOf(last)).toContain('Continue exactly where it stopped');
});

test('an answer that is cut again and again is never passed off as whole', async () => {
  const cut = [...say('more'), ...done('length')];
  const thread = await openTestThread({ script: [cut, cut, cut] });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('halted');
  expect(end.text).toContain('not whole');
});

test('a failed call ends the turn with its error and keeps what came', async () => {
  const thread = await openTestThread({
    script: [[...say('Half an'), ...failure({ class: 'network', midStream: true })]],
  });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({
    reason: 'error',
    error: { class: 'network' },
    text: 'The server failed. Try again.',
  });
  expect(thread.state().messages.at(-1)).toMatchObject({ finish: 'lost' });
});

test('calls of an answer that broke off are not run, but answered', async () => {
  const thread = await openTestThread({
    script: [[...say('I change it.'), ...call('poke', { path: 'a' }), ...failure()], answer('Again.')],
  });
  await thread.prompt('go');
  thread.handle.submit({ kind: 'continue' });
  await thread.turnEnds(2);
  expect(thread.model.problems).toEqual([]);
  expect(thread.state().messages.at(1)?.parts.at(-1)).toMatchObject({ result: { status: 'aborted' } });
});

test('a call that the server cannot read is asked for once more, with what was wrong', async () => {
  const refused = () => failure({ class: 'tool-use-failed', message: 'Failed to parse the tool call.' });
  const thread = await openTestThread({ script: [refused(), answer('Better.'), refused(), refused()] });
  expect((await thread.prompt('go')).reason).toBe('done');
  expect(textOf(thread.model.requests[1]?.messages.at(-1))).toContain('Failed to parse the tool call.');
  expect(await thread.prompt('again')).toMatchObject({ reason: 'halted' });
  expect(thread.model.problems).toEqual([]);
});

test('a stream that ends without an end is an error, never a finished answer', async () => {
  const thread = await openTestThread({ script: [say('It just')] });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'error', error: { class: 'bad-response' } });
});

test('a client that throws is an error of the turn', async () => {
  const thread = await openTestThread({
    script: [
      () => {
        throw new Error('boom');
      },
    ],
  });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('error');
  expect(end.text).toContain('boom');
});

test('a content filter ends the turn with an error', async () => {
  const thread = await openTestThread({ script: [[...say('Well'), ...done('content-filter')]] });
  expect(await thread.prompt('go')).toMatchObject({ reason: 'error' });
});

test('without a model the turn says how to choose one', async () => {
  const thread = await openTestThread({ model: null });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('error');
  expect(end.text).toContain('/model');
});

test('a retry is shown and ends', async () => {
  const thread = await openTestThread({
    script: [
      [
        { kind: 'retry', attempt: 1, maxAttempts: 3, until: 5, error: modelError() },
        { kind: 'attempt' },
        ...answer('ok'),
      ],
    ],
  });
  await thread.prompt('go');
  expect(await thread.next('retry-wait')).toMatchObject({ attempt: 1, maxAttempts: 3, until: 5 });
  expect(thread.state().retry).toBeNull();
});

test('a hook may keep the turn from ending, a bounded number of times', async () => {
  const hooks = hooksThat(({ event }) =>
    event === 'turn-end' ? { decision: 'deny', reason: 'tests fail' } : undefined,
  );
  const thread = await openTestThread({ hooks, script: Array.from({ length: 7 }, () => answer('Done.')) });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'done', steps: 6 });
  expect(textOf(thread.model.requests[1]?.messages.at(-1))).toContain('tests fail');
});

test('hooks are told of the session, the prompt and the end', async () => {
  const hooks = hooksThat(({ event }) =>
    event === 'session-start' ? { context: 'The build is red.' } : undefined,
  );
  const thread = await openTestThread({ hooks, script: [answer('ok')] });
  await thread.prompt('go');
  await thread.close();
  expect(hooks.fired.map(({ event }) => event)).toEqual([
    'session-start',
    'prompt-submit',
    'prompt-compile',
    'http',
    'turn-end',
    'session-save',
    'session-end',
  ]);
  expect(textOf(thread.model.requests[0]?.messages[0])).toContain('The build is red.');
});

test('a hook that refuses the prompt ends the turn without a model call', async () => {
  const hooks = hooksThat(({ event }) =>
    event === 'prompt-submit' ? { decision: 'deny', reason: 'no secrets' } : undefined,
  );
  const thread = await openTestThread({ hooks, script: [answer('never')] });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'halted' });
  expect(end.text).toContain('no secrets');
  expect(thread.model.requests).toEqual([]);
  expect(thread.state().messages.filter(({ role }) => role === 'user')).toEqual([]);
});

test('a hook may add to the prompt', async () => {
  const hooks = hooksThat(({ event }) =>
    event === 'prompt-submit' ? { context: 'Branch: main' } : undefined,
  );
  const thread = await openTestThread({ hooks, script: [answer('ok')] });
  await thread.prompt('go');
  expect(textOf(thread.model.requests[0]?.messages.at(-1))).toContain('Branch: main');
});

test('a model whose window nobody knows is told of once, with the key to set', async () => {
  const thread = await openTestThread({ script: [answer('one'), answer('two')] });
  Object.assign(thread.model.client.info, { contextWindow: { value: 32_768, origin: 'default' } });
  await thread.prompt('hi');
  await thread.prompt('again');
  expect(noticesOf(thread)).toEqual([
    expect.stringMatching(/32,768 tokens are assumed.*providers\.test\.models\["scripted"\]\.context_window/),
  ]);
});

test('a model that cannot call tools gets none, and the person is told', async () => {
  const thread = await openTestThread({ script: [answer('ok')] });
  Object.assign(thread.model.client.info, { tools: { value: false, origin: 'config' } });
  await thread.prompt('go');
  expect(thread.model.requests[0]?.tools).toEqual([]);
  expect(noticesOf(thread).join()).toContain('cannot call tools');
});

test('a model that does not open says why when it is needed', async () => {
  const thread = await openTestThread({
    directory: {
      open: async () => {
        throw new LlmcodeError('model-unknown', 'There is no model x. Did you mean y?');
      },
    },
  });
  expect(await thread.prompt('go')).toMatchObject({
    reason: 'error',
    text: 'There is no model x. Did you mean y?',
  });
});
