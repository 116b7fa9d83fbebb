import { createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StepPart } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import {
  type ModelServer,
  type ServerApi,
  type ServerScript,
  startModelServer,
} from '../../support/model-servers/index.ts';
import { ask, question, textOf } from '../../unit/providers/support/ask.ts';
import { FakeClock } from '../../unit/providers/support/fake-clock.ts';
import { openTestModel, type TestModelOptions } from '../../unit/providers/support/open-model.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function setUp(script: ServerScript, options: Partial<TestModelOptions> & { api?: ServerApi } = {}) {
  const { api = 'openai-chat', ...rest } = options;
  const server = await startModelServer({ api, script });
  servers.push(server);
  const clock = new FakeClock();
  const model = await openTestModel({ api, url: server.url, clock, maxAttempts: 5, ...rest });
  return { server, clock, model };
}

/** Lets every announced wait pass at once. */
const hurry = (clock: FakeClock) => (part: StepPart) => {
  if (part.kind === 'retry') queueMicrotask(() => clock.advance(part.until - clock.now()));
};

function lastError(parts: readonly StepPart[]): ModelError {
  const last = parts.at(-1);
  if (last?.kind !== 'error') throw new Error(`the last part is ${last?.kind}`);
  return last.error;
}

describe('a failed model call', () => {
  test('is tried again after two server errors, and each wait is seen', async () => {
    const { clock, model, server } = await setUp([
      { status: 500, message: 'one' },
      { status: 502, message: 'two' },
      { parts: [{ text: 'works' }] },
    ]);
    const parts = await ask(model, { onPart: hurry(clock) });
    expect(textOf(parts)).toBe('works');
    const retries = parts.flatMap((part) => (part.kind === 'retry' ? [part] : []));
    expect(retries.map(({ attempt, maxAttempts, error }) => [attempt, maxAttempts, error.status])).toEqual([
      [2, 5, 500],
      [3, 5, 502],
    ]);
    expect(clock.waits).toEqual([1_000, 2_000]);
    expect(parts.filter((part) => part.kind === 'attempt')).toHaveLength(3);
    expect(parts.at(-1)?.kind).toBe('finish');
    expect(server.unusedSteps()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('waits as long as Retry-After asks', async () => {
    const { clock, model } = await setUp([
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after-ms': '2500' } },
      { parts: [{ text: 'ok' }] },
    ]);
    await ask(model, { onPart: hurry(clock) });
    expect(clock.waits).toEqual([7_000, 2_500]);
  });

  test('is not tried again when the server asks to wait longer than a minute; the advice says how long', async () => {
    const { clock, model } = await setUp([{ status: 429, headers: { 'retry-after': '600' } }]);
    const error = lastError(await ask(model));
    expect(error).toMatchObject({ class: 'rate-limit', status: 429, retryAfterMs: 600_000 });
    expect(error.advice).toContain('The server asks to wait 10 minutes.');
    expect(clock.waits).toEqual([]);
  });

  test('ends after five attempts with the last error', async () => {
    const { clock, model, server } = await setUp(() => ({ status: 503 }), { api: 'anthropic' });
    const error = lastError(await ask(model, { onPart: hurry(clock) }));
    expect(server.requests).toHaveLength(5);
    expect(error).toMatchObject({ class: 'server', retryable: true, status: 503 });
    expect(error.advice).toContain('5 times');
  });

  test('of an overloaded provider waits 30, 60 and 120 seconds, whatever else failed before', async () => {
    const overloaded = { status: 529, message: 'Overloaded' };
    const { clock, model, server } = await setUp(
      [{ status: 500 }, overloaded, { status: 502 }, overloaded, overloaded, overloaded],
      { api: 'anthropic' },
    );
    const parts = await ask(model, { onPart: hurry(clock) });
    expect(clock.waits).toEqual([1_000, 30_000, 2_000, 60_000, 120_000]);
    const retries = parts.flatMap((part) => (part.kind === 'retry' ? [part] : []));
    expect(retries.map(({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}`)).toEqual([
      '2 of 5',
      '2 of 4',
      '3 of 5',
      '3 of 4',
      '4 of 4',
    ]);
    expect(lastError(parts)).toMatchObject({ class: 'overloaded', status: 529 });
    expect(server.unusedSteps()).toBe(0);
  });

  test('of a server that still loads its model is tried again soon and for long', async () => {
    const loading = { status: 503, message: 'Loading model' };
    const { clock, model } = await setUp([loading, loading, loading, { parts: [{ text: 'ready' }] }]);
    expect(textOf(await ask(model, { onPart: hurry(clock) }))).toBe('ready');
    expect(clock.waits).toEqual([2_000, 3_000, 5_000]);
  });

  test('has no more tries than the caller wants', async () => {
    const { model, server } = await setUp([{ status: 500 }]);
    const parts: StepPart[] = [];
    const options = { signal: new AbortController().signal, maxAttempts: 1 };
    for await (const part of model.stream(question, options)) parts.push(part);
    expect(lastError(parts)).toMatchObject({ class: 'server', status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [401, 'auth'],
    [403, 'permission'],
    [404, 'not-found'],
    [402, 'quota'],
    [400, 'bad-request'],
    [413, 'too-large'],
  ])('with status %i is never tried again', async (status, kind) => {
    const { model, server } = await setUp([{ status, message: 'no' }]);
    expect(lastError(await ask(model))).toMatchObject({ class: kind, retryable: false, status });
    expect(server.requests).toHaveLength(1);
  });

  test('whose answer is cut in the middle is tried again, and what came before is void', async () => {
    const { clock, model } = await setUp([
      { parts: [{ text: 'half of an ans' }, { cut: true }] },
      {
        parts: [{ text: 'half a call' }, { call: 'bash', rawArguments: '{"command":"rm -rf' }, { end: true }],
      },
      { parts: [{ text: 'whole' }] },
    ]);
    const parts = await ask(model, { onPart: hurry(clock) });
    expect(textOf(parts)).toBe('whole');
    const errors = parts.flatMap((part) => (part.kind === 'retry' ? [part.error] : []));
    expect(errors.map((error) => [error.class, error.midStream])).toEqual([
      ['network', true],
      ['network', true],
    ]);
    expect(parts.some((part) => part.kind === 'tool-call')).toBe(false);
  });

  test.each(['openai-chat', 'anthropic', 'openai-responses', 'gemini'] as const)(
    'with an error inside the stream of %s is tried again',
    async (api) => {
      const { clock, model } = await setUp(
        [
          { parts: [{ text: 'begin' }, { error: { status: 529, message: 'Overloaded' } }, { end: true }] },
          { parts: [{ text: 'works' }] },
        ],
        { api },
      );
      const parts = await ask(model, { onPart: hurry(clock) });
      expect(textOf(parts)).toBe('works');
      const retry = parts.find((part) => part.kind === 'retry');
      expect(retry).toMatchObject({ error: { class: 'overloaded', midStream: true } });
    },
  );

  test('to a server that hangs up is tried again', async () => {
    const { clock, model } = await setUp([{ reset: true }, { parts: [{ text: 'works' }] }]);
    const parts = await ask(model, { onPart: hurry(clock) });
    expect(textOf(parts)).toBe('works');
    expect(parts.find((part) => part.kind === 'retry')).toMatchObject({ error: { class: 'network' } });
  });

  test('to a local server that is not running fails at once and says how to start it', async () => {
    const port = await freePort();
    const model = await openTestModel({
      api: 'ollama-native',
      url: `http://127.0.0.1:${port}`,
      provider: 'ollama',
      maxAttempts: 5,
    });
    const error = lastError(await ask(model));
    expect(error).toMatchObject({ class: 'network', retryable: false });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.advice).toContain('ollama serve');
  });

  test('that gets a web page says that base_url is wrong', async () => {
    const { model } = await setUp([{ html: '<!doctype html><title>Welcome to nginx!</title>' }]);
    const error = lastError(await ask(model));
    expect(error).toMatchObject({ class: 'bad-response', retryable: false, status: 200 });
    expect(error.message).toContain('Welcome to nginx!');
    expect(error.advice).toContain('base_url');
    expect(error.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/);
  });

  test('never shows the key', async () => {
    const { model } = await setUp([{ status: 401, message: 'Incorrect API key provided: test-key.' }]);
    const error = lastError(await ask(model));
    expect(JSON.stringify(error)).not.toContain('test-key');
    expect(error.message).toContain('***');
  });
});

describe('a silent server', () => {
  const soon = { timeout_ms: 120_000, first_token_timeout_ms: 300_000 };

  test('before the first token counts as broken after the longer timeout', async () => {
    const { clock, model, server } = await setUp([{ stall: true }, { parts: [{ text: 'ok' }] }], {
      entry: soon,
    });
    const done = ask(model, { onPart: hurry(clock) });
    await server.received(1);
    clock.advance(299_000);
    expect(server.requests).toHaveLength(1);
    clock.advance(2_000);
    const parts = await done;
    expect(textOf(parts)).toBe('ok');
    expect(parts.find((part) => part.kind === 'retry')).toMatchObject({
      error: { class: 'timeout', message: expect.stringContaining('300 seconds') },
    });
    await server.dropped(0);
  });

  test('in the middle of an answer counts as broken after the idle timeout', async () => {
    const { clock, model } = await setUp([{ parts: [{ text: 'a' }, { stall: true }] }], {
      entry: soon,
      maxAttempts: 1,
    });
    const parts = await ask(model, {
      onPart: (part) => {
        if (part.kind === 'text-delta') setImmediate(() => clock.advance(121_000));
      },
    });
    expect(lastError(parts)).toMatchObject({ class: 'timeout', midStream: true });
  });

  test('is given another idle timeout by every sign of life', async () => {
    const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
    const { clock, model } = await setUp(
      [{ parts: [{ text: ['a'] }, { raw: ': still here\n\n' }, { wait }, { text: ['b'] }] }],
      { entry: soon, maxAttempts: 1 },
    );
    const parts = await ask(model, {
      onPart: (part) => {
        if (part.kind !== 'text-delta' || part.text !== 'a') return;
        clock.advance(100_000);
        goOn();
      },
    });
    expect(textOf(parts)).toBe('ab');
    clock.advance(1_000_000);
    expect(clock.pending).toBe(0);
  });
});

describe('a server that sends nothing but keep-alives', () => {
  test.each([
    ['openai-chat', ': still here\n\n'],
    ['anthropic', 'event: ping\ndata: {"type":"ping"}\n\n'],
  ] as const)('%s counts as broken in the end', async (api, raw) => {
    const beats = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const { clock, model, server } = await setUp(
      [
        {
          parts: [
            { text: ['a'] },
            ...beats.flatMap(({ promise }) => [{ wait: promise }, { raw }]),
            { stall: true },
          ],
        },
      ],
      { api, entry: { timeout_ms: 120_000, first_token_timeout_ms: 300_000 }, maxAttempts: 1 },
    );
    const begun = Promise.withResolvers<void>();
    const done = ask(model, {
      onPart: (part) => {
        if (part.kind === 'text-delta') begun.resolve();
      },
    });
    await begun.promise;
    // Whatever is heard is noted with its time.
    const heard = vi.spyOn(clock, 'now');
    for (const { resolve } of beats) {
      const before = heard.mock.calls.length;
      resolve();
      await vi.waitFor(() => expect(heard.mock.calls.length).toBeGreaterThan(before));
      clock.advance(100_000);
    }
    const error = lastError(await done);
    expect(error).toMatchObject({ class: 'timeout', midStream: true });
    expect(error.message).toContain('300 seconds');
    await server.dropped(0);
    expect(clock.pending).toBe(0);
  });
});

describe('an abort', () => {
  test('while the answer streams ends the stream without finish or error and hangs up', async () => {
    const { model, server } = await setUp([{ parts: [{ text: 'hello' }, { stall: true }] }]);
    const controller = new AbortController();
    const parts = await ask(model, {
      signal: controller.signal,
      onPart: (part) => {
        if (part.kind === 'text-delta') controller.abort();
      },
    });
    expect(parts.some((part) => part.kind === 'finish' || part.kind === 'error')).toBe(false);
    await server.dropped(0);
  });

  test('before the first byte ends the stream', async () => {
    const { model, server } = await setUp([{ stall: true }]);
    const controller = new AbortController();
    const done = ask(model, { signal: controller.signal });
    await server.received(1);
    controller.abort();
    expect((await done).map((part) => part.kind)).toEqual(['attempt']);
  });

  test('while a retry waits ends the stream at once', async () => {
    const { clock, model, server } = await setUp([{ status: 500 }]);
    const controller = new AbortController();
    const parts = await ask(model, {
      signal: controller.signal,
      onPart: (part) => {
        if (part.kind === 'retry') setImmediate(() => controller.abort());
      },
    });
    expect(parts.at(-1)?.kind).toBe('retry');
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('by a reader that stops reading hangs up too', async () => {
    const { model, server } = await setUp([{ parts: [{ text: 'hello' }, { stall: true }] }]);
    for await (const part of model.stream(
      { system: [], messages: [], tools: [], threadId: 't' },
      { signal: new AbortController().signal },
    )) {
      if (part.kind === 'text-delta') break;
    }
    await server.dropped(0);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
