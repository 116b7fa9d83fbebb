import { type Clock, systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { Effort } from '#protocol/model-ref.ts';
import { readConnections } from '#providers/connections.ts';
import { providerDefs } from '#providers/index.ts';
import { createModelClient } from '#providers/model-client.ts';
import { modelInfo, type ServerFacts } from '#providers/model-facts.ts';
import { type ProviderEntry, providerSettings } from '#providers/settings.ts';

export type TestApi =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'anthropic'
  | 'gemini'
  | 'ollama-native';

const types: Readonly<Record<TestApi, NonNullable<ProviderEntry['type']>>> = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  anthropic: 'anthropic',
  gemini: 'google',
  'ollama-native': 'ollama',
};

export type TestModelOptions = {
  api: TestApi;
  url: string;
  model?: string;
  provider?: string;
  effort?: Effort;
  entry?: Partial<ProviderEntry>;
  server?: ServerFacts;
  clock?: Clock;
  maxAttempts?: number;
};

/** A client for a test server, one attempt unless said otherwise. */
export async function openTestModel({
  api,
  url,
  model = 'test-model',
  provider = 'test',
  effort,
  entry = {},
  server = api === 'ollama-native' ? { numCtx: 4_096 } : {},
  clock = systemClock,
  maxAttempts = 1,
}: TestModelOptions): Promise<ModelClient> {
  const settings = providerSettings.parse({
    providers: { [provider]: { type: types[api], base_url: url, api_key: 'test-key', ...entry } },
  });
  const connection = readConnections(settings, {}).get(provider);
  if (!connection) throw new Error('no connection');
  const def = providerDefs[connection.type];
  const ref = { provider, model: model === '' ? 'unnamed' : model, ...(effort ? { effort } : {}) };
  const info = modelInfo({ ref, connection, family: def.family(connection), server, pricing: {} });
  const policy = { maxAttempts, maxWaitMs: 60_000, random: () => 0.5 };
  return createModelClient({ def, connection, info, server, clock, policy, nextId: createIdSource() });
}
