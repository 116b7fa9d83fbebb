import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#lib/clock.ts';
import type { FallbackPlan, ModelDirectory, StepRequest, StreamOptions } from '#protocol/model-client.ts';
import type { ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import {
  answer,
  call,
  calls,
  failure,
  type ScriptStep,
  scriptedModel,
} from '../../support/engine/scripted-model.ts';
import { openTestThread, type TestThread, textOf } from '../../support/engine/test-thread.ts';

const refOf = (model: string): ModelRef => ({ provider: 'test', model });
const quota = failure({ class: 'quota', message: 'No credit is left.' });
const down = failure({ class: 'network', retryable: false, message: 'Nothing listens.' });

/** Models in memory by name; `chain` are those that take over, also ones that do not open. */
function cast(
  scripts: Readonly<Record<string, readonly ScriptStep[]>>,
  {
    chain,
    plan = {},
    info = {},
  }: { chain: readonly string[]; plan?: Partial<FallbackPlan>; info?: Partial<ModelInfo> },
) {
  const tries: (number | undefined)[] = [];
  const models = new Map(
    Object.entries(scripts).map(([name, script]) => {
      const model = scriptedModel(script, { ...(name === 'first' ? {} : info), ref: refOf(name) });
      const stream = (request: StepRequest, options: StreamOptions) => {
        tries.push(options.maxAttempts);
        return model.client.stream(request, options);
      };
      return [name, { ...model, client: { ...model.client, stream } }];
    }),
  );
  const directory: ModelDirectory = {
    open: async ({ model }) => {
      const found = models.get(model);
      if (!found) throw new Error(`${model} is not there`);
      return found.client;
    },
    fallback: () => ({
      models: chain.map((name) => ({ name: `test/${name}`, resolve: async () => refOf(name) })),
      afterFailures: 3,
      restMs: 60_000,
      returns: false,
      ...plan,
    }),
  };
  return { directory, models, tries };
}

/** Time that stands still until it is moved. */
function stillClock(): Clock & { move(ms: number): void } {
  let now = 1_000_000;
  return {
    ...systemClock,
    now: () => now,
    move: (ms) => {
      now += ms;
    },
  };
}

const noticesOf = ({ events }: TestThread) =>
  events.flatMap((event) => (event.kind === 'notice-added' ? [event.notice.text] : []));
const switches = ({ events }: TestThread) =>
  events.flatMap((event) =>
    event.kind === 'model-switched' ? [`${event.reason ?? 'chosen'} ${event.model.model}`] : [],
  );

test('a used up quota hands the turn on at once, with the results that it has', async () => {
  const { directory, models, tries } = cast(
    { first: [calls(call('peek', { path: 'a' })), quota], second: [answer('Seen.')] },
    { chain: ['second'] },
  );
  const thread = await openTestThread({ directory, model: refOf('first') });
  expect(await thread.prompt('go')).toMatchObject({ reason: 'done' });
  expect(textOf(thread.state().messages.at(-1))).toBe('Seen.');
  expect(JSON.stringify(models.get('second')?.requests[0]?.messages)).toContain('saw a');
  expect(models.get('second')?.problems).toEqual([]);
  expect(switches(thread)).toEqual(['chosen first', 'fallback second']);
  expect(thread.state()).toMatchObject({ model: refOf('second'), standsInFor: refOf('first') });
  expect(noticesOf(thread)).toEqual(['test/second takes over from test/first: No credit is left.']);
  // Three tries while another model stands by, as many as the settings allow when none does.
  expect(tries).toEqual([3, 3, undefined]);
});

test.each(['auth', 'permission', 'not-found', 'bad-request', 'content-filter'] as const)(
  'an error of the class %s ends the turn and is seen: nobody takes over',
  async (kind) => {
    const { directory, models } = cast(
      { first: [failure({ class: kind })], second: [answer('never')] },
      { chain: ['second'] },
    );
    const thread = await openTestThread({ directory, model: refOf('first') });
    expect(await thread.prompt('go')).toMatchObject({ reason: 'error', error: { class: kind } });
    expect(models.get('second')?.left()).toBe(1);
  },
);

test('models that do not open or have no key are passed over, each with a notice', async () => {
  const { directory } = cast(
    { first: [quota], keyless: [failure({ class: 'auth', message: 'No key.' })], third: [answer('Here.')] },
    { chain: ['missing', 'keyless', 'third'] },
  );
  const thread = await openTestThread({ directory, model: refOf('first') });
  expect(await thread.prompt('go')).toMatchObject({ reason: 'done' });
  expect(noticesOf(thread)).toEqual([
    'test/missing could not take over: missing is not there',
    'test/keyless takes over from test/first: No credit is left.',
    'test/third takes over from test/keyless: No key.',
  ]);
});

test('when all fail the turn ends with the error of the chosen model, which answers again afterwards', async () => {
  const { directory } = cast({ first: [quota, answer('Paid.')], second: [down] }, { chain: ['second'] });
  const thread = await openTestThread({ directory, model: refOf('first') });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'error', error: { class: 'quota' } });
  expect(end.text).toContain('No other model is left');
  expect(noticesOf(thread).at(-1)).toBe('test/second failed too: Nothing listens.');
  expect(thread.state().model).toEqual(refOf('first'));
  expect(await thread.prompt('again')).toMatchObject({ reason: 'done' });
  expect(textOf(thread.state().messages.at(-1))).toBe('Paid.');
});

test('the chosen model comes back when it has rested, and has one try to prove itself', async () => {
  const clock = stillClock();
  const { directory, tries } = cast(
    {
      first: [quota, quota, answer('I am back.'), answer('Still here.')],
      second: [answer('one'), answer('two'), answer('three')],
    },
    { chain: ['second'], plan: { returns: true } },
  );
  const thread = await openTestThread({ directory, clock, model: refOf('first') });
  await thread.prompt('1');
  await thread.prompt('2');
  clock.move(60_001);
  await thread.prompt('3');
  // It failed again and rests for twice as long.
  clock.move(60_001);
  expect(switches(thread)).toEqual(['chosen first', 'fallback second', 'return first', 'fallback second']);
  clock.move(60_001);
  await thread.prompt('4');
  await thread.prompt('5');
  const answers = thread.state().messages.filter(({ finish }) => finish === 'stop');
  expect(answers.map(textOf)).toEqual(['one', 'two', 'three', 'I am back.', 'Still here.']);
  expect(tries).toEqual([3, undefined, undefined, 1, undefined, 1, 3]);
  expect(thread.state().standsInFor).toBeUndefined();
});

test('without a return the one that took over stays', async () => {
  const clock = stillClock();
  const { directory } = cast(
    { first: [quota], second: [answer('one'), answer('two')] },
    { chain: ['second'] },
  );
  const thread = await openTestThread({ directory, clock, model: refOf('first') });
  await thread.prompt('1');
  clock.move(600_000);
  await thread.prompt('2');
  expect(switches(thread)).toEqual(['chosen first', 'fallback second']);
});

test('a resumed thread knows for whom its model stands in', async () => {
  const { directory } = cast(
    { first: [quota, answer('Back.')], second: [answer('one')] },
    { chain: ['second'], plan: { returns: true } },
  );
  const before = await openTestThread({ directory, model: refOf('first') });
  await before.prompt('1');
  await before.close();
  const after = await openTestThread({
    directory,
    home: before.home,
    cwd: before.cwd,
    origin: { kind: 'resume', threadId: before.handle.threadId },
    model: null,
  });
  await after.prompt('2');
  expect(textOf(after.state().messages.at(-1))).toBe('Back.');
  expect(after.state().model).toEqual(refOf('first'));
});

test('a model that the person chose while the call failed goes on, whatever the settings name', async () => {
  const failing = Promise.withResolvers<void>();
  const { directory, models } = cast(
    {
      first: [
        async function* stream() {
          await failing.promise;
          yield* quota;
        },
      ],
      second: [answer('never')],
      chosen: [answer('Me.')],
    },
    { chain: ['second'] },
  );
  const thread = await openTestThread({ directory, model: refOf('first') });
  const ended = thread.prompt('go');
  await thread.next('message-added');
  thread.handle.submit({ kind: 'switch-model', model: refOf('chosen') });
  await thread.until(({ model }) => model?.model === 'chosen');
  failing.resolve();
  expect(await ended).toMatchObject({ reason: 'done' });
  expect(textOf(thread.state().messages.at(-1))).toBe('Me.');
  expect(models.get('second')?.left()).toBe(1);
  expect(thread.state().standsInFor).toBeUndefined();
});

test('the history is made to fit the smaller window of the one that takes over', async () => {
  const long = 'word '.repeat(12_000);
  const contextWindow = { value: 8_000, origin: 'config' as const };
  const { directory, models } = cast(
    { first: [answer(long), answer('ok'), quota], second: [answer('what was said'), answer('Small.')] },
    { chain: ['second'], info: { contextWindow } },
  );
  const thread = await openTestThread({ directory, model: refOf('first') });
  await thread.prompt('1');
  await thread.prompt('2');
  expect(await thread.prompt('3')).toMatchObject({ reason: 'done' });
  expect(textOf(thread.state().messages.at(-1))).toBe('Small.');
  const sent = models.get('second')?.requests.at(-1)?.messages ?? [];
  expect(JSON.stringify(sent).length).toBeLessThan(30_000);
  expect(thread.events.some(({ kind }) => kind === 'thread-compacted')).toBe(true);
});
