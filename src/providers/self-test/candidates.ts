import type { Clock } from '#lib/clock.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { CapabilityStore } from '../capabilities/capability-store.ts';
import type { Connection } from '../connections.ts';
import { createModelClient } from '../model-client.ts';
import { modelInfo, type ServerFacts } from '../model-facts.ts';
import type { ProviderDef } from '../provider-def.ts';
import type { ProviderSettings } from '../settings.ts';
import type { Candidates } from './self-test.ts';

type Described = { ref: ModelRef; connection: Connection; def: ProviderDef; server: ServerFacts };
type Deps = { clock: Clock; nextId: () => string; pricing: ProviderSettings['pricing'] };

/** What is found out in a test is kept at its end, all together. */
const forgetful: CapabilityStore = {
  read: async () => undefined,
  all: async () => () => undefined,
  learn: async () => undefined,
};

/** One try for each question: a test that waits tells nothing. */
const policy = { maxAttempts: 1, maxWaitMs: 0, overloadWaitsMs: [], random: () => 0 };

/** The model as if it could do everything: what it cannot do has to show. */
export function candidatesFor(described: Described, deps: Deps): Candidates {
  return { native: candidate('native', described, deps), text: candidate('text', described, deps) };
}

function candidate(
  toolCalling: 'native' | 'text',
  { ref, connection, def, server }: Described,
  { clock, nextId, pricing }: Deps,
): ModelClient {
  const set = { ...connection.models[ref.model], tools: true, images: true, tool_calling: toolCalling };
  const able = { ...connection, models: { ...connection.models, [ref.model]: set } };
  const info = modelInfo({ ref, connection: able, family: def.family(connection), server, pricing });
  return createModelClient({
    def,
    connection: able,
    info,
    server,
    capabilities: forgetful,
    clock,
    policy,
    nextId,
  });
}
