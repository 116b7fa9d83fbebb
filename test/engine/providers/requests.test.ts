import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '#protocol/message.ts';
import type { Network } from '#providers/transport.ts';
import {
  type ModelServer,
  type ServerApi,
  type ServerScript,
  startModelServer,
} from '../../support/model-servers/index.ts';
import { ask, question } from '../../unit/providers/support/ask.ts';
import { openTestModel, type TestModelOptions } from '../../unit/providers/support/open-model.ts';
import { Conversation, pixel, tools } from './conversation.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function setUp(api: ServerApi, options: Partial<TestModelOptions> & { script?: ServerScript } = {}) {
  const { script = () => ({ parts: [{ text: 'ok' }] }), ...rest } = options;
  const server = await startModelServer({ api, script });
  servers.push(server);
  const model = await openTestModel({ api, url: server.url, ...rest });
  return { server, model, bodies: () => server.requests.map((request) => request.body) };
}

/** Stands in for a host that no test may reach; `body` is what would have gone there. */
function farHost() {
  let sent = '';
  const network: Network = async (_url, init) => {
    sent = String(init?.body);
    return new Response('{}', { status: 400 });
  };
  return { network, body: () => JSON.parse(sent) };
}

describe('a request', () => {
  test('without tools holds nothing that was not asked for', async () => {
    const { model, bodies } = await setUp('openai-chat');
    await ask(model);
    expect(bodies()).toEqual([
      {
        model: 'test-model',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hello' },
        ],
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  });

  test('to OpenAI stores nothing there and asks for encrypted reasoning', async () => {
    const { model, bodies } = await setUp('openai-responses', { model: 'gpt-5', effort: 'low' });
    await ask(model);
    expect(bodies()[0]).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'thread-1',
      reasoning: { effort: 'low', summary: 'auto' },
    });
  });

  test('to Anthropic has cache marks on the system prompt and on the last two turns, and a limit that fits', async () => {
    const entry = { models: { 'test-model': { context_window: 10_000, output_limit: 9_000 } } };
    const { model, bodies } = await setUp('anthropic', {
      entry,
      script: () => ({ parts: [{ call: 'bash' }] }),
    });
    const talk = new Conversation();
    talk.say(`Please read this. ${'word '.repeat(3_000)}`);
    for (let step = 0; step < 3; step += 1) {
      await talk.step(model);
      talk.answer(() => ({ forModel: [{ kind: 'text', text: `result ${step}` }] }));
    }
    const [, , last] = bodies();
    const marked = last.messages.map((message: { content: { cache_control?: unknown }[] }) =>
      message.content.some((block) => block.cache_control !== undefined),
    );
    expect(marked).toEqual([false, false, true, false, true]);
    expect(last.system.at(-1).cache_control).toEqual({ type: 'ephemeral' });
    expect(last.max_tokens).toBeGreaterThanOrEqual(4_096);
    expect(last.max_tokens).toBeLessThan(6_000);
  });

  test('to DeepSeek carries a reasoning field with every call, also with those of other models', async () => {
    const { model } = await setUp('openai-chat', { script: () => ({ parts: [{ call: 'bash' }] }) });
    const talk = new Conversation();
    talk.say('go');
    await talk.step(model);
    talk.answer(() => ({ forModel: [{ kind: 'text', text: 'done' }] }));
    const { network, body } = farHost();
    const deepseek = await openTestModel({
      api: 'openai-chat',
      url: 'https://api.deepseek.com',
      provider: 'deepseek',
      network,
    });
    await talk.step(deepseek);
    expect(body().messages[2]).toMatchObject({ role: 'assistant', reasoning_content: '' });
  });

  test.each([
    ['anthropic/some-model', { cache_control: { type: 'ephemeral' }, session_id: 'thread-1' }],
    ['other/some-model', { session_id: 'thread-1' }],
  ])(
    'to OpenRouter for %s keeps to one upstream, and marks for the cache where only marks do',
    async (model, fields) => {
      const { network, body } = farHost();
      const url = 'https://openrouter.ai/api/v1';
      await ask(await openTestModel({ api: 'openai-chat', url, model, network }));
      const {
        model: _model,
        messages: _messages,
        stream: _stream,
        stream_options: _options,
        ...rest
      } = body();
      expect(rest).toEqual(fields);
    },
  );

  test('gives reasoning back under the name that it came in', async () => {
    const delta = (fields: object) =>
      `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: fields, finish_reason: null }] })}\n\n`;
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's1', index: 0 }];
    const { model, bodies } = await setUp('openai-chat', {
      script: (_request, index) =>
        index === 0
          ? { parts: [{ raw: delta({ reasoning: 'Hm.', reasoning_details: details }) }, { call: 'bash' }] }
          : { parts: [{ text: 'ok' }] },
    });
    const talk = new Conversation();
    talk.say('go');
    await talk.step(model);
    talk.answer(() => ({ forModel: [{ kind: 'text', text: 'done' }] }));
    await talk.step(model);
    expect(bodies()[1].messages[2]).toMatchObject({ reasoning_details: details });
  });

  test('takes images from the disk, and words where the model cannot see or the file is gone', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'llmcode-images-'));
    const file = path.join(folder, 'a.png');
    await writeFile(file, Buffer.from(pixel, 'base64'));
    const image = (source: string, mediaType = 'image/png') =>
      ({ kind: 'image', id: source, mediaType, name: 'a', source: { kind: 'file', path: source } }) as const;
    const parts = [image(file), image(path.join(folder, 'gone.png')), image(file, 'image/tiff')];
    const messages: Message[] = [{ id: 'm', role: 'user', createdAt: 0, parts }];
    const seeing = await setUp('openai-chat', { entry: { models: { 'test-model': { images: true } } } });
    await ask(seeing.model, { request: { ...question, messages } });
    expect(seeing.bodies()[0].messages[1].content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
      { type: 'text', text: '[image a left out: its file is gone]' },
      { type: 'text', text: '[image a left out: image/tiff is not supported]' },
    ]);
    const blind = await setUp('openai-chat');
    await ask(blind.model, { request: { ...question, messages } });
    expect(blind.bodies()[0].messages[1].content).toContain(
      '[image a left out: this model cannot see images]',
    );
    await rm(folder, { recursive: true });
  });

  test('is refused before it is sent where the key is missing or the model cannot call tools', async () => {
    const { model, server } = await setUp('openai-chat', {
      entry: { models: { 'test-model': { tools: false, tool_calling: 'native' } } },
    });
    const parts = await ask(model, { request: { ...question, tools } });
    expect(parts).toMatchObject([{ kind: 'error', error: { class: 'tools-unsupported', retryable: false } }]);
    const keyless = await openTestModel({
      api: 'anthropic',
      url: 'https://api.anthropic.com',
      entry: { api_key: '', api_key_env: 'SOME_KEY' },
    });
    expect(await ask(keyless)).toMatchObject([{ kind: 'error', error: { class: 'auth' } }]);
    expect(server.requests).toEqual([]);
  });

  test('keeps the bytes of everything that was sent before', async () => {
    for (const api of ['openai-chat', 'openai-responses', 'gemini'] as const) {
      const script: ServerScript = () => ({
        parts: [{ reasoning: 'hm' }, { text: 'Look.' }, { call: 'bash', input: { n: 1 } }],
      });
      const { model, bodies } = await setUp(api, { script, model: 'gemini-3-pro-preview' });
      const talk = new Conversation();
      talk.say('go');
      for (let step = 0; step < 20; step += 1) {
        await talk.step(model);
        talk.answer(() => ({ forModel: [{ kind: 'text', text: `result ${step}` }] }));
      }
      const histories = bodies().map((body) =>
        JSON.stringify(body.messages ?? body.input ?? body.contents).slice(0, -1),
      );
      for (const [index, history] of histories.entries()) {
        if (index > 0) expect(history.startsWith(histories[index - 1] ?? '')).toBe(true);
      }
    }
  });
});

describe('the parts of a step', () => {
  test.each(['openai-chat', 'anthropic', 'gemini', 'openai-responses'] as const)(
    'of %s begin, grow and end as the protocol says',
    async (api) => {
      const price = { input: 10, output: 100, cache_read: 1 };
      const usage = { input: 1_000, output: 100, cacheRead: 400 };
      const parts = [
        { reasoning: 'Let me think.' },
        { text: 'I will look.' },
        { call: 'read_file', input: { path: 'ä.txt' } },
        { call: 'bash', input: {} },
      ];
      const { model } = await setUp(api, {
        entry: { models: { 'test-model': { price } } },
        script: () => ({ parts, usage }),
      });
      const seen = await ask(model, { request: { ...question, tools } });
      const ends = seen.filter((part) => !part.kind.endsWith('-delta'));
      const [, , , , , , , , , finish] = ends;
      const ids = ends.flatMap((part) => ('partId' in part ? [part.partId] : []));
      expect(ends.map((part) => part.kind)).toEqual([
        'attempt',
        'reasoning-start',
        'reasoning-end',
        'text-start',
        'text-end',
        'tool-call-start',
        ...(api === 'openai-chat'
          ? (['tool-call-start', 'tool-call'] as const)
          : (['tool-call', 'tool-call-start'] as const)),
        'tool-call',
        'finish',
      ]);
      expect(new Set(ids).size).toBe(4);
      const calls = seen.flatMap((part) => (part.kind === 'tool-call' ? [[part.tool, part.input]] : []));
      expect(calls).toEqual([
        ['read_file', { path: 'ä.txt' }],
        ['bash', {}],
      ]);
      expect(seen.find((part) => part.kind === 'text-end')).toMatchObject({ text: 'I will look.' });
      expect(finish).toMatchObject({
        reason: 'tool-calls',
        usage: { input: 1_000, output: 100, cacheRead: 400 },
        costUsd: expect.closeTo((600 * 10 + 400 * 1 + 100 * 100) / 1_000_000),
      });
    },
  );

  test('mark arguments that are no JSON object, so that they cannot run', async () => {
    const { model } = await setUp('openai-chat', {
      script: () => ({ parts: [{ call: 'bash', rawArguments: '{"command": "ls"' }] }),
    });
    const parts = await ask(model, { request: { ...question, tools } });
    expect(parts.find((part) => part.kind === 'tool-call')).toMatchObject({
      input: {},
      rawInput: '{"command": "ls"',
    });
  });
});

describe('Ollama', () => {
  test('gets the context size in its native chat, with calls, results and images in its own form', async () => {
    const lines = [
      { message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
      { message: { role: 'assistant', content: 'Look.' }, done: false },
      {
        message: { content: '', tool_calls: [{ function: { name: 'bash', arguments: { command: 'ls' } } }] },
        done: false,
      },
      { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 50, eval_count: 7 },
    ];
    const seen: { url: string; body: Record<string, unknown> }[] = [];
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        seen.push({ url: request.url ?? '', body: JSON.parse(body) });
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        for (const line of lines) response.write(`${JSON.stringify({ model: 'm', ...line })}\n`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const model = await openTestModel({
      api: 'ollama-native',
      url: `http://127.0.0.1:${port}`,
      model: 'qwen3:8b',
      server: { numCtx: 20_000, images: true },
      effort: 'none',
    });
    const talk = new Conversation();
    talk.say('Look at this.', { image: pixel });
    const parts = await talk.step(model);
    expect(parts.at(-1)).toMatchObject({
      kind: 'finish',
      reason: 'tool-calls',
      costUsd: 0,
      usage: { input: 50, output: 7 },
    });
    talk.answer(() => ({ forModel: [{ kind: 'text', text: 'a.txt' }] }));
    await talk.step(model);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(seen.map(({ url }) => url)).toEqual(['/api/chat', '/api/chat']);
    expect(seen[1]?.body).toMatchObject({
      model: 'qwen3:8b',
      options: { num_ctx: 20_000 },
      think: false,
      messages: [
        { role: 'system' },
        { role: 'user', content: 'Look at this.', images: [pixel] },
        {
          role: 'assistant',
          content: 'Look.',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'bash', arguments: { command: 'ls' } } }],
        },
        { role: 'tool', content: 'a.txt', tool_name: 'bash' },
      ],
    });
  });
});
