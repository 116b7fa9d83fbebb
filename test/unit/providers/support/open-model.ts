import { type Clock, systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { Effort } from '#protocol/model-ref.ts';
import { createCapabilityStore } from '#providers/capabilities/capability-store.ts';
import { readConnections } from '#providers/connections.ts';
import { providerDefs } from '#providers/index.ts';
import { createModelClient } from '#providers/model-client.ts';
import { modelInfo, type ServerFacts } from '#providers/model-facts.ts';
import { type ProviderEntry, providerSettings } from '#providers/settings.ts';
import { directTransport, type Network } from '#providers/transport.ts';

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
  /** Folder for what is learned of models; without one it is not kept. */
  home?: string;
  /** Stands in for the network. */
  network?: Network;
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
  home = '/dev/null',
  network = directTransport.call,
}: TestModelOptions): Promise<ModelClient> {
  const settings = providerSettings.parse({
    providers: { [provider]: { type: types[api], base_url: url, api_key: 'test-key', ...entry } },
  });
  const transport = { ...directTransport, call: network };
  const connection = readConnections(settings, {}, transport).get(provider);
  if (!connection) throw new Error('no connection');
  const def = providerDefs[connection.type];
  const ref = { provider, model: model === '' ? 'unnamed' : model, ...(effort ? { effort } : {}) };
  const capabilities = createCapabilityStore({ home, clock });
  const learned = await capabilities.read({ baseUrl: connection.baseUrl, model: ref.model });
  const family = def.family(connection);
  const info = modelInfo({ ref, connection, family, server, pricing: {}, learned });
  const overloadWaitsMs = settings.overload_waits.map((seconds) => seconds * 1_000);
  const policy = { maxAttempts, maxWaitMs: 60_000, overloadWaitsMs, random: () => 0.5 };
  const nextId = createIdSource();
  return createModelClient({ def, connection, info, server, capabilities, clock, policy, nextId });
}
