import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EngineEvent } from '#protocol/event.ts';
import { apis, hastyClock, httpSession, refOf } from '../../support/engine/http-thread.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import { callParts, openTestThread, resultText, textOf } from '../../support/engine/test-thread.ts';
import type { ServerRequest, ServerStep } from '../../support/model-servers/index.ts';

const noticesOf = (events: readonly EngineEvent[]) =>
  events.flatMap((event) => (event.kind === 'notice-added' ? [event.notice.text] : []));
const nameOf = (api: (typeof apis)[number]) => `${refOf(api).provider}/${refOf(api).model}`;
const atOnce = { 'retry-after': '0' };
const noCredit: ServerStep = {
  status: 400,
  message: 'Your credit balance is too low to access the Anthropic API.',
};

/** Steps in order; requests for a summary are answered beside them. */
function stepsBeside(steps: readonly ServerStep[]) {
  const waiting = [...steps];
  return {
    left: () => waiting.length,
    script: ({ body }: ServerRequest): ServerStep => {
      if (JSON.stringify(body).includes('Summarise this transcript'))
        return { parts: [{ text: '## Goal\nread them all, then run it' }] };
      return waiting.shift() ?? { status: 400, message: 'the script is used up' };
    },
  };
}

test('the whole ladder in one turn: nothing runs twice and nothing is lost', async () => {
  const read = (file: string): ServerStep => ({ parts: [{ call: 'read_file', input: { path: file } }] });
  const run = { call: 'bash', input: { command: 'echo ran >> runs.txt' } } as const;
  const first = stepsBeside([
    read('a.txt'),
    read('b.txt'),
    read('c.txt'),
    { parts: [{ text: 'I run it once.' }, run] },
    { status: 429, headers: atOnce },
    { parts: [{ text: 'Now I r' }, run, { cut: true }] },
    { status: 400, message: 'prompt is too long: 213462 tokens > 200000 maximum' },
    noCredit,
  ]);
  const { servers, options } = await httpSession(
    {
      anthropic: first.script,
      'openai-chat': [
        { parts: [{ call: 'read_file', input: { path: 'sum.js' } }] },
        { parts: [{ text: 'All done.' }] },
      ],
    },
    { settings: { model_routing: { fallback: [nameOf('openai-chat')] } }, clock: hastyClock },
  );
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    await writeFile(path.join(options.cwd, name), `${'x '.repeat(3_000)}\n`);
  const thread = await openTestThread({ ...options, model: refOf('anthropic') });

  expect(await thread.prompt('read them all, then run it')).toMatchObject({ reason: 'done' });
  const { messages, model } = thread.state();
  expect(textOf(messages.at(-1))).toBe('All done.');
  expect(await readFile(path.join(options.cwd, 'runs.txt'), 'utf8')).toBe('ran\n');
  expect(callParts(messages).map(({ tool, result }) => `${tool} ${result?.status}`)).toEqual([
    ...Array(3).fill('read_file ok'),
    'bash ok',
    'bash aborted',
    'read_file ok',
  ]);
  expect(model).toMatchObject({ provider: 'openai-chat' });
  expect(thread.state().standsInFor).toMatchObject({ provider: 'anthropic' });
  for (const server of servers.values()) expect(server.violations).toEqual([]);
  expect(first.left()).toBe(0);
  expect(servers.get('openai-chat')?.unusedSteps()).toBe(0);
  const waits = thread.events.flatMap((event) => (event.kind === 'retry-wait' ? [event.error.class] : []));
  expect(waits).toEqual(['rate-limit', 'network']);
  expect(thread.events.some(({ kind }) => kind === 'thread-compacted' || kind === 'history-trimmed')).toBe(
    true,
  );
  expect(await thread.next('model-switched', ({ reason }) => reason === 'fallback')).toMatchObject({
    model: { provider: 'openai-chat' },
    from: { provider: 'anthropic' },
  });
  expect(noticesOf(thread.events).join('\n')).toMatch(
    /openai-chat\/test-model takes over from anthropic\/test-model: .*credit balance is too low/,
  );
  expect(JSON.stringify(servers.get('openai-chat')?.requests[0]?.body)).toContain('run it');
  await thread.close();
  expectSound(thread.events);
});

test.each(apis)('%s goes on from a message of another model that broke off', async (api) => {
  const home = api === 'anthropic' ? 'openai-chat' : 'anthropic';
  const half: ServerStep = { parts: [{ text: 'The first half, ' }, { cut: true }] };
  const { servers, options } = await httpSession(
    { [home]: [half, half, half], [api]: [{ parts: [{ text: 'and the second.' }] }] },
    { settings: { model_routing: { fallback: [nameOf(api)] } }, clock: hastyClock },
  );
  const thread = await openTestThread({ ...options, clock: hastyClock, model: refOf(home) });
  expect(await thread.prompt('say it')).toMatchObject({ reason: 'done' });
  for (const server of servers.values()) {
    expect(server.violations).toEqual([]);
    expect(server.unusedSteps()).toBe(0);
  }
  const answers = thread.state().messages.filter(({ role }) => role === 'assistant');
  expect(answers.map((message) => [textOf(message), message.finish])).toEqual([
    ['The first half, ', 'lost'],
    ['and the second.', 'stop'],
  ]);
  const sent = JSON.stringify(servers.get(api)?.requests[0]?.body);
  expect(sent).toContain('The first half, ');
  expect(sent).toContain('Your last message broke off');
  await thread.close();
  expectSound(thread.events);
});

test('what an answer had shown stays when no other one comes', async () => {
  const { options } = await httpSession(
    { anthropic: [{ parts: [{ text: 'Half of it' }, { cut: true }] }, { status: 502 }] },
    { settings: { max_retries: 1 }, clock: hastyClock },
  );
  const thread = await openTestThread({ ...options });
  expect(await thread.prompt('hi')).toMatchObject({
    reason: 'error',
    error: { class: 'server', status: 502 },
  });
  expect(thread.state().messages.at(-1)).toMatchObject({ finish: 'lost' });
  expect(textOf(thread.state().messages.at(-1))).toBe('Half of it');
});

test('a read that ran in a message that broke off is not lost and not run again', async () => {
  const { servers, options } = await httpSession(
    {
      anthropic: [
        {
          parts: [
            { text: 'I look.' },
            { call: 'read_file', input: { path: 'sum.js' } },
            { text: 'And' },
            { cut: true },
          ],
        },
        { parts: [{ text: 'It subtracts.' }] },
      ],
    },
    { clock: hastyClock },
  );
  const thread = await openTestThread({ ...options, clock: hastyClock });
  expect(await thread.prompt('look')).toMatchObject({ reason: 'done', steps: 2 });
  const { messages } = thread.state();
  expect(messages.map(({ finish }) => finish)).toEqual([undefined, 'lost', 'stop']);
  expect(resultText(callParts(messages)[0])).toContain('a - b');
  expect(JSON.stringify(servers.get('anthropic')?.requests[1]?.body)).toContain('a - b');
  expect(servers.get('anthropic')?.violations).toEqual([]);
  expect((await thread.next('retry-wait')).error).toMatchObject({ class: 'network', midStream: true });
});

test('the countdown of an overloaded provider can be stopped', async () => {
  const { servers, options } = await httpSession({ anthropic: [{ status: 529, message: 'Overloaded' }] });
  const thread = await openTestThread({ ...options });
  const ended = thread.prompt('hi');
  const { until, at, attempt, maxAttempts } = await thread.next('retry-wait');
  expect(Math.round((until - at) / 1_000)).toBe(30);
  expect([attempt, maxAttempts]).toEqual([2, 4]);
  thread.handle.submit({ kind: 'interrupt' });
  expect(await ended).toMatchObject({ reason: 'aborted' });
  expect(thread.state().retry).toBeNull();
  expect(servers.get('anthropic')?.requests).toHaveLength(1);
});

test.each([
  ['a status 500', { status: 500, message: 'Context size has been exceeded.' }],
  [
    'a status 200 with an error in its body',
    {
      status: 200,
      body: JSON.stringify({
        error: { message: 'The prompt is too long: 33000, model maximum context length: 32767' },
      }),
    },
  ],
  [
    'an error inside the stream',
    { parts: [{ error: { status: 400, message: 'Input is too long for requested model.' } }, { end: true }] },
  ],
  ['a status 413 without a word', { status: 413, body: '' }],
] satisfies [string, ServerStep][])(
  'an overflow that comes as %s makes the request smaller',
  async (_name, refusal) => {
    const steps = stepsBeside([
      ...['a.txt', 'b.txt', 'c.txt'].map((file) => ({
        parts: [{ call: 'read_file', input: { path: file } }],
      })),
      refusal,
      { parts: [{ text: 'All read.' }] },
    ]);
    const { servers, options } = await httpSession({ 'openai-chat': steps.script });
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      await writeFile(path.join(options.cwd, name), `${'x '.repeat(3_000)}\n`);
    const thread = await openTestThread({ ...options });
    expect(await thread.prompt('read them')).toMatchObject({ reason: 'done' });
    expect(steps.left()).toBe(0);
    expect(servers.get('openai-chat')?.violations).toEqual([]);
  },
);
