import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createModelDirectory } from '#providers/directory.ts';
import { providerSettings } from '#providers/settings.ts';

/** What the vendors' list paths answer. */
const answers: Record<string, unknown> = {
  '/v1/models': {
    data: [
      {
        id: 'a/priced',
        name: 'Priced',
        context_length: 200_000,
        top_provider: { max_completion_tokens: 9_000 },
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools'],
        pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025' },
      },
      { id: 'a/varying', pricing: { prompt: '-1', completion: '-1' } },
      { id: 'a/text-embedding-3', context_length: 8_000 },
    ],
  },
  '/anthropic/v1/models?limit=1000': {
    data: [{ id: 'future', display_name: 'Future', max_input_tokens: 300_000, max_tokens: 70_000 }],
  },
  '/google/v1beta/models?pageSize=1000': {
    models: [
      { name: 'models/new', inputTokenLimit: 500_000, supportedGenerationMethods: ['generateContent'] },
      { name: 'models/vectors', supportedGenerationMethods: ['embedContent'] },
    ],
  },
};

async function setUp() {
  const home = await mkdtemp(path.join(tmpdir(), 'llmcode-lists-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  let isDown = false;
  const server = createServer((request, response) => {
    const answer = isDown ? undefined : answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = (models: object = {}) =>
    createModelDirectory({
      settings: providerSettings.parse({
        local_servers: false,
        providers: {
          // Stands for a vendor far away: what runs here is asked each time.
          gateway: { base_url: `${url}/v1`, local: false, api_key: 'k', models },
          claudes: { type: 'anthropic', base_url: `${url}/anthropic`, local: false, api_key: 'k' },
          geminis: { type: 'google', base_url: `${url}/google`, local: false, api_key: 'k' },
        },
      }),
      env: {},
      home,
      clock: systemClock,
    });
  const refresh = async (catalogue = open()) => {
    const results = [];
    for await (const result of catalogue.refresh(new AbortController().signal)) results.push(result);
    return results;
  };
  return {
    home,
    open,
    refresh,
    goDown: () => {
      isDown = true;
    },
  };
}

test('a fetched list counts in the next start, between the server and the catalogue, and prices come with it', async () => {
  const { open, refresh } = await setUp();
  expect(await refresh()).toEqual([
    { provider: 'gateway', kind: 'fetched', models: 2, added: [], gone: [] },
    { provider: 'claudes', kind: 'fetched', models: 1, added: [], gone: [] },
    { provider: 'geminis', kind: 'fetched', models: 1, added: [], gone: [] },
  ]);
  const catalogue = open();
  expect(await catalogue.info({ provider: 'gateway', model: 'a/priced' })).toMatchObject({
    name: 'Priced',
    contextWindow: { value: 200_000, origin: 'list' },
    outputLimit: { value: 9_000, origin: 'list' },
    images: { value: true, origin: 'list' },
    reasoning: { value: false, origin: 'list' },
    price: { value: { input: 2.5, output: 10, cacheRead: 0.25 }, origin: 'list' },
  });
  expect((await catalogue.info({ provider: 'gateway', model: 'a/varying' })).price).toBeUndefined();
  expect((await catalogue.info({ provider: 'claudes', model: 'future' })).contextWindow.value).toBe(300_000);
  expect((await catalogue.info({ provider: 'geminis', model: 'new' })).contextWindow.value).toBe(500_000);
  expect(await catalogue.resolve('future')).toEqual({ provider: 'claudes', model: 'future' });
  expect([...catalogue.dates().lists.keys()]).toEqual(['gateway', 'claudes', 'geminis']);
});

test('settings change single values of it, also single prices', async () => {
  const { open, refresh } = await setUp();
  await refresh();
  const catalogue = open({ 'a/priced': { context_window: 50_000, price: { cache_read: 0.1 } } });
  expect(await catalogue.info({ provider: 'gateway', model: 'a/priced' })).toMatchObject({
    contextWindow: { value: 50_000, origin: 'config' },
    outputLimit: { value: 9_000, origin: 'list' },
    price: { value: { input: 2.5, output: 10, cacheRead: 0.1 }, origin: 'config' },
  });
});

test('a list stays when its provider cannot be asked, and a damaged file is none', async () => {
  const { home, open, refresh, goDown } = await setUp();
  await refresh();
  goDown();
  const failed = { kind: 'failed', reason: 'answers 500', before: expect.any(Number) };
  expect(await refresh(open())).toEqual(
    ['gateway', 'claudes', 'geminis'].map((provider) => ({ provider, ...failed })),
  );
  expect((await open().info({ provider: 'claudes', model: 'future' })).contextWindow.value).toBe(300_000);
  const file = path.join(home, 'model-lists.json');
  expect(await readFile(file, 'utf8')).toContain('a/priced');
  await writeFile(file, '{"version": 1, "providers": {"claudes": {"at": "x"');
  expect(open().dates().lists.size).toBe(0);
});
