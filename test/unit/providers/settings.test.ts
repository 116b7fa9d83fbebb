import { describe, expect, test } from 'vitest';
import { readConnections } from '#providers/connections.ts';
import { type ProviderSettings, providerSettings } from '#providers/settings.ts';

const parse = (value: unknown): ProviderSettings => providerSettings.parse(value);
const connect = (settings: unknown, env: Record<string, string> = {}) =>
  readConnections(parse(settings), env);

describe('provider settings', () => {
  test('have defaults for all that is left out', () => {
    expect(parse({})).toEqual({
      providers: {},
      model_aliases: {},
      local_servers: true,
      max_retries: 4,
      overload_waits: [30, 60, 120],
      model_routing: { fallback: [], fallback_after: 3, return: false, rest: 300 },
      pricing: {},
    });
  });

  test('name a key that they do not know', () => {
    const result = providerSettings.safeParse({ providers: { mine: { base_ulr: 'http://x' } } });
    expect(result.error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: ['base_ulr'], path: ['providers', 'mine'] },
    ]);
  });

  test('let the unused keys of the older form through', () => {
    const old = { model: 'm', provider: { base_url: 'http://x/v1', timeout: 60, max_retries: 2 } };
    expect(providerSettings.safeParse(old).success).toBe(true);
  });
});

describe('a connection', () => {
  test('takes what is left out from what is known of its id', () => {
    const [mine] = connect(
      { providers: { groq: { headers: { 'x-team': 'a' } } } },
      { GROQ_API_KEY: 'k' },
    ).values();
    expect(mine).toMatchObject({
      id: 'groq',
      type: 'openai-compatible',
      baseUrl: 'https://api.groq.com/openai/v1',
      apiKey: 'k',
      headers: { 'x-team': 'a' },
      source: 'config',
      isLocal: false,
    });
  });

  test('gives the key of a vendor to nobody else', () => {
    const env = { OPENAI_API_KEY: 'secret' };
    const elsewhere = connect({ providers: { openai: { base_url: 'https://elsewhere.example/v1' } } }, env);
    expect(elsewhere.get('openai')?.apiKey).toBeUndefined();
    const asked = { base_url: 'https://elsewhere.example/v1', api_key_env: 'OPENAI_API_KEY' };
    expect(connect({ providers: { openai: asked } }, env).get('openai')?.apiKey).toBe('secret');
    expect(connect({ providers: { second: { type: 'openai' } } }, env).get('second')?.apiKey).toBe('secret');
  });

  test('is made by the variables of a vendor', () => {
    const connections = connect(
      {},
      { MISTRAL_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://proxy.example/anthropic' },
    );
    expect(connections.get('mistral')).toMatchObject({
      baseUrl: 'https://api.mistral.ai/v1',
      source: 'environment',
    });
    expect(connections.get('anthropic')).toMatchObject({
      baseUrl: 'https://proxy.example/anthropic/v1',
      needsKey: false,
    });
    expect(connections.has('openai')).toBe(false);
  });

  test('at a foreign OPENAI_BASE_URL speaks Chat Completions', () => {
    const url = { OPENAI_BASE_URL: 'http://127.0.0.1:9999' };
    expect(connect({}, url).get('openai')).toMatchObject({
      type: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9999/v1',
      isLocal: true,
    });
  });

  test.each([
    ['box', 'http://box:11434'],
    ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
    ['https://ollama.example', 'https://ollama.example'],
    [':8000', 'http://127.0.0.1:8000'],
  ])('to Ollama is read from OLLAMA_HOST=%s as Ollama reads it', (host, url) => {
    const connection = connect({}, { OLLAMA_HOST: host }).get('ollama');
    expect(connection).toMatchObject({ baseUrl: url, type: 'ollama', source: 'environment', isGuess: false });
  });

  test.each([
    ['http://localhost:1', true],
    ['http://192.168.1.5:1', true],
    ['http://172.20.0.1', true],
    ['http://172.40.0.1', false],
    ['http://[::1]:1', true],
    ['http://110.0.0.1', false],
    ['https://10.example.com', false],
    ['https://localhost.example.com', false],
    ['http://studio.local:1234', true],
  ])('to %s is local: %s', (base_url, isLocal) => {
    expect(connect({ providers: { x: { base_url } } }).get('x')?.isLocal).toBe(isLocal);
  });

  test('is local or not by the settings before anything else', () => {
    const x = { base_url: 'https://gpu.example.com', local: true };
    expect(connect({ providers: { x } }).get('x')?.isLocal).toBe(true);
  });
});
