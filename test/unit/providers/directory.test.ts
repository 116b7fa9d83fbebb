import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import { createModelDirectory, type ExtraProvider, type ModelCatalogue } from '#providers/directory.ts';
import { providerSettings } from '#providers/settings.ts';

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Answers = Readonly<Record<string, unknown>>;

/** A server that answers paths with JSON; `/api/show` by the model asked for. */
async function serve(answers: Answers): Promise<number> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const key = request.url === '/api/show' ? `/api/show ${JSON.parse(body).model}` : (request.url ?? '');
      const answer = answers[key];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      const missing = {
        error: key.startsWith('/api/show') ? `model '${key.slice(10)}' not found` : 'no such path',
      };
      response.end(JSON.stringify(answer ?? missing));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(server);
  return (server.address() as AddressInfo).port;
}

function directory(
  settings: unknown = {},
  { env = {}, extra = [] }: { env?: Record<string, string>; extra?: ExtraProvider[] } = {},
): ModelCatalogue {
  const asked = settings as { local_servers?: object };
  // A busy machine is no reason to fail.
  const local_servers = asked.local_servers ? { budget_ms: 5_000, ...asked.local_servers } : false;
  const quiet = { ...asked, local_servers };
  return createModelDirectory({
    settings: providerSettings.parse(quiet),
    env,
    home: '/nowhere',
    clock: systemClock,
    extra,
  });
}

async function allChoices(catalogue: ModelCatalogue): Promise<readonly ModelChoice[]> {
  let last: readonly ModelChoice[] = [];
  for await (const choices of catalogue.choices(new AbortController().signal)) last = choices;
  return last;
}

const names = (choices: readonly ModelChoice[]) => choices.map(({ ref }) => `${ref.provider}/${ref.model}`);

const ollama: Answers = {
  '/api/tags': {
    models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text:latest' }, { name: 'tiny:latest' }],
  },
  '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 4_096 }] },
  '/api/show qwen3:8b': {
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    capabilities: ['completion', 'tools', 'thinking'],
  },
  '/api/show tiny:latest': {
    model_info: { 'general.architecture': 'llama', 'llama.context_length': 8_192 },
    capabilities: ['completion'],
    parameters: 'stop "<|eot|>"\nnum_ctx 2048',
  },
};

describe('what can be had', () => {
  test('is told apart from what the person named and does not answer', async () => {
    const there = await serve({ '/v1/models': { data: [{ id: 'm' }] } });
    const gone = await serve({});
    const providers = {
      there: { base_url: `http://127.0.0.1:${there}/v1` },
      gone: { base_url: 'http://127.0.0.1:9/v1' },
      listless: { base_url: `http://127.0.0.1:${gone}/v1`, models: ['known'] },
      wordless: { base_url: `http://127.0.0.1:${gone}/v1` },
    };
    const silent: string[] = [];
    const catalogue = directory({ providers });
    let choices: readonly ModelChoice[] = [];
    const onSilent = ({ provider }: { provider: string }) => void silent.push(provider);
    for await (const list of catalogue.choices(new AbortController().signal, onSilent)) choices = list;
    expect(names(choices)).toEqual(expect.arrayContaining(['there/m', 'listless/known']));
    expect(silent.sort()).toEqual(['gone', 'wordless']);
  });

  test('has levels of effort where it reasons: from the settings, the catalogue or its API', async () => {
    const models = {
      set: { reasoning: true, efforts: ['low', 'max'] },
      'gpt-5': {},
      other: { reasoning: true },
      plain: { reasoning: false },
    };
    const catalogue = directory({ providers: { openai: { type: 'openai', api_key: 'k', models } } });
    const levels = async (model: string) => (await catalogue.info({ provider: 'openai', model })).efforts;
    expect(await levels('set')).toEqual({ value: ['low', 'max'], origin: 'config' });
    expect(await levels('gpt-5')).toEqual({
      value: ['minimal', 'low', 'medium', 'high'],
      origin: 'catalogue',
    });
    expect((await levels('other'))?.origin).toBe('default');
    expect(await levels('plain')).toBeUndefined();
  });

  test('with a key in the environment are the models of that vendor, without any network', async () => {
    const choices = await allChoices(directory({}, { env: { ANTHROPIC_API_KEY: 'k' } }));
    expect(choices.length).toBeGreaterThan(2);
    expect(new Set(choices.map((choice) => choice.ref.provider))).toEqual(new Set(['anthropic']));
    expect(choices[0]).toMatchObject({ source: 'environment', detail: 'ANTHROPIC_API_KEY is set' });
    expect(choices[0]?.info).toMatchObject({ family: 'anthropic', local: false });
  });

  test('with nothing is nothing', async () => {
    expect(await allChoices(directory())).toEqual([]);
  });

  test('is found on local servers in parallel, and the list grows', async () => {
    const ports = {
      ollama: await serve(ollama),
      vllm: await serve({ '/v1/models': { data: [{ id: 'Qwen/Qwen3-32B', max_model_len: 32_768 }] } }),
      lmstudio: await serve({ '/v1/models': { data: [{ id: 'gemma' }, { id: 'text-embedding-nomic' }] } }),
      llamacpp: 1,
    };
    const lists: number[] = [];
    let last: readonly ModelChoice[] = [];
    for await (const choices of directory({ local_servers: ports }).choices(new AbortController().signal)) {
      lists.push(choices.length);
      last = choices;
    }
    expect(lists[0]).toBe(0);
    expect([...lists].sort((a, b) => a - b)).toEqual(lists);
    expect(names(last).sort()).toEqual([
      'lmstudio/gemma',
      'ollama/qwen3:8b',
      'ollama/tiny:latest',
      'vllm/Qwen/Qwen3-32B',
    ]);
    const details = Object.fromEntries(last.map((choice) => [choice.ref.model, choice.detail]));
    expect(details['Qwen/Qwen3-32B']).toBe('running here · 32k context');
    expect(details['qwen3:8b']).toBe('running here · 32k context');
    expect(details['tiny:latest']).toBe(
      'running here · 2k context · cannot call tools · only 2,048 tokens of context, too few for an agent; ' +
        'the model itself takes no more than 8,192, choose another one',
    );
  });

  test('does not wait for a local server that does not answer', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running.push(server);
    const { port } = server.address() as AddressInfo;
    const started = performance.now();
    const ports = { ollama: port, vllm: port, lmstudio: port, llamacpp: port, budget_ms: 300 };
    expect(await allChoices(directory({ local_servers: ports }))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test('includes configured models and what a configured server lists', async () => {
    const port = await serve({ '/v1/models': { data: [{ id: 'served', context_length: 65_536 }] } });
    const choices = await allChoices(
      directory({
        providers: {
          mine: { base_url: `http://127.0.0.1:${port}` },
          named: { base_url: 'http://10.1.2.3:1/v1', models: { fixed: { context_window: 9_000 } } },
        },
      }),
    );
    expect(names(choices)).toEqual(['named/fixed', 'mine/served']);
    expect(choices[1]?.info?.contextWindow).toEqual({ value: 65_536, origin: 'server' });
  });

  test('includes the providers that the program brings itself', async () => {
    const ref = { provider: 'demo', model: 'demo' };
    const extra: ExtraProvider = {
      id: 'demo',
      open: () => {
        throw new Error('not here');
      },
      choices: [{ ref, label: 'Demo', source: 'demo', detail: 'offline' }],
    };
    expect(names(await allChoices(directory({}, { extra: [extra] })))).toEqual(['demo/demo']);
  });
});

describe('a reference', () => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };

  test.each([
    ['openai/some-new-model', { provider: 'openai', model: 'some-new-model' }],
    ['openai/gpt-5#high', { provider: 'openai', model: 'gpt-5', effort: 'high' }],
    ['ollama/hf.co/x/y:Q4', { provider: 'ollama', model: 'hf.co/x/y:Q4' }],
    ['gpt-5-mini', { provider: 'openai', model: 'gpt-5-mini' }],
    ['smart', { provider: 'anthropic', model: 'big-one', effort: 'max' }],
    ['smart#low', { provider: 'anthropic', model: 'big-one', effort: 'low' }],
    ['smarter', { provider: 'anthropic', model: 'big-one', effort: 'max' }],
  ])('%s is resolved', async (text, expected) => {
    const model_aliases = { smart: 'anthropic/big-one#max', smarter: 'smart' };
    expect(await directory({ model_aliases }, { env }).resolve(text)).toEqual(expected);
  });

  test('without a provider means the one provider of the older settings form', async () => {
    const old = { model: 'Qwen/Qwen3', provider: { base_url: 'http://127.0.0.1:1/v1', timeout: 3 } };
    expect(await directory(old, { env }).resolve('Qwen/Qwen3')).toEqual({
      provider: 'custom',
      model: 'Qwen/Qwen3',
    });
  });

  test('that is unknown is refused with the nearest name', async () => {
    const wrong = directory({}, { env }).resolve('gpt-5-minni');
    await expect(wrong).rejects.toMatchObject({ code: 'model-unknown' });
    await expect(directory({ model_aliases: { fast: 'openai/x' } }, { env }).resolve('fasd')).rejects.toThrow(
      'Did you mean fast?',
    );
  });

  test('to a vendor without a key names the variable', async () => {
    await expect(directory().resolve('groq/whatever')).rejects.toThrow('GROQ_API_KEY is not set');
  });

  test('that several providers have asks which one', async () => {
    const two = {
      one: { base_url: 'http://127.0.0.1:1', models: ['m'] },
      two: { base_url: 'http://127.0.0.1:1', models: ['m'] },
    };
    await expect(directory({ providers: two }).resolve('m')).rejects.toThrow('one/m or two/m');
  });

  test('to an alias that names itself ends', async () => {
    await expect(directory({ model_aliases: { a: 'b', b: 'a' } }).resolve('a')).rejects.toMatchObject({
      code: 'model-unknown',
    });
  });

  test('to a model that a local server does not have is refused with the nearest that it has', async () => {
    const catalogue = directory({ local_servers: { ollama: await serve(ollama) } });
    await expect(catalogue.open({ provider: 'ollama', model: 'qwen3:9b' })).rejects.toThrow(
      'Did you mean ollama/qwen3:8b?',
    );
  });

  test('to an unknown provider is refused', async () => {
    await expect(directory().open({ provider: 'nobody', model: 'x' })).rejects.toMatchObject({
      code: 'model-unknown',
    });
  });
});

describe('what is known of a model', () => {
  test('says where each value comes from', async () => {
    const catalogue = directory(
      { providers: { anthropic: { models: { 'claude-sonnet-4-5': { context_window: 90_000 } } } } },
      { env: { ANTHROPIC_API_KEY: 'k' } },
    );
    const info = await catalogue.info({ provider: 'anthropic', model: 'claude-sonnet-4-5' });
    expect(info).toMatchObject({
      contextWindow: { value: 90_000, origin: 'config' },
      outputLimit: { value: 64_000, origin: 'catalogue' },
      images: { value: true, origin: 'catalogue' },
      price: { origin: 'catalogue' },
      local: false,
    });
    const unknown = await catalogue.info({ provider: 'anthropic', model: 'claude-of-tomorrow' });
    expect(unknown).toMatchObject({
      contextWindow: { value: 32_768, origin: 'default' },
      tools: { value: true },
    });
    expect(unknown.price).toBeUndefined();
  });

  test('of Ollama is the context that requests will ask for, and what the model can do', async () => {
    const port = await serve(ollama);
    const auto = await directory({ local_servers: { ollama: port } }).info({
      provider: 'ollama',
      model: 'qwen3:8b',
    });
    expect(auto).toMatchObject({
      contextWindow: { value: 32_768, origin: 'server' },
      tools: { value: true, origin: 'server' },
      images: { value: false },
      reasoning: { value: true },
      local: true,
    });
    const set = directory({
      providers: { ollama: { base_url: `http://127.0.0.1:${port}`, num_ctx: 100_000 } },
    });
    expect((await set.info({ provider: 'ollama', model: 'qwen3:8b' })).contextWindow.value).toBe(40_960);
    const left = directory({
      providers: { ollama: { base_url: `http://127.0.0.1:${port}`, num_ctx: 'server' } },
    });
    expect((await left.info({ provider: 'ollama', model: 'qwen3:8b' })).contextWindow.value).toBe(4_096);
    const choices = await allChoices(left);
    expect(choices[0]?.detail).toContain(
      'only 4,096 tokens of context, too few for an agent; set "num_ctx": 32768 for provider "ollama"',
    );
  });

  test('of every local server is the context that is loaded, also in the list, and how to get more', async () => {
    const llamacpp = await serve({
      '/v1/models': { data: [{ id: 'x.gguf', meta: { n_ctx_train: 131_072 } }] },
      '/props': { default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: true } },
    });
    const lmstudio = await serve({
      '/v1/models': { data: [{ id: 'gemma' }] },
      '/api/v0/models': {
        data: [{ id: 'gemma', type: 'vlm', loaded_context_length: 6_000, max_context_length: 131_072 }],
      },
    });
    const vllm = await serve({
      '/v1/models': { data: [{ id: 'q', owned_by: 'vllm', max_model_len: 5_000 }] },
    });
    const disguised = await serve({
      '/v1/models': { data: [{ id: 'qwen3:8b' }] },
      '/api/ps': { models: [] },
    });
    const catalogue = directory({
      local_servers: { llamacpp, lmstudio, vllm },
      providers: { mine: { base_url: `http://127.0.0.1:${disguised}` } },
    });
    const small = ' tokens of context, too few for an agent; ';
    const warnings = (await allChoices(catalogue)).map(({ ref, info }) => [ref.provider, info?.warning]);
    expect(Object.fromEntries(warnings)).toEqual({
      llamacpp: `only 8,192${small}more with \`llama-server -c 32768 -np 1\``,
      lmstudio: `only 6,000${small}more with \`lms load gemma --context-length 32768\``,
      vllm: `only 5,000${small}more with \`vllm serve q --max-model-len 32768\``,
      mine: `only 4,096${small}set "type": "ollama" for provider "mine", which then asks for 32,768`,
    });
    expect(await catalogue.info({ provider: 'llamacpp', model: 'any-name' })).toMatchObject({
      contextWindow: { value: 8_192, origin: 'server' },
      images: { value: true, origin: 'server' },
    });
    expect(await catalogue.info({ provider: 'lmstudio', model: 'gemma' })).toMatchObject({
      contextWindow: { value: 6_000, origin: 'server' },
      images: { value: true },
    });
  });

  test('of a server that is not there is a careful default', async () => {
    const info = await directory({ local_servers: { vllm: 1 } }).info({ provider: 'vllm', model: 'any' });
    expect(info.contextWindow).toEqual({ value: 32_768, origin: 'default' });
  });
});
