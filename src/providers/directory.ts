import type { Clock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import type { FallbackPlan, ModelClient, ModelDirectory, RoutePurpose } from '#protocol/model-client.ts';
import type { ModelChoice, ModelInfo, ModelRef, SilentProvider } from '#protocol/model-ref.ts';
import { createCapabilityStore } from './capabilities/capability-store.ts';
import { withFetchedLists } from './catalogue/fetched-lists.ts';
import { catalogueDate } from './catalogue/models.ts';
import { type Refreshed, refreshLists } from './catalogue/refresh.ts';
import { type Connection, readConnections } from './connections.ts';
import { detectChoices } from './detect.ts';
import { providerDefs } from './index.ts';
import { createModelClient } from './model-client.ts';
import { modelInfo, type ServerFacts } from './model-facts.ts';
import { ModelResolver, unknownModel } from './resolve.ts';
import { defaultMaxWaitMs } from './retry.ts';
import { candidatesFor } from './self-test/candidates.ts';
import { type CapabilityCard, cardOf } from './self-test/card.ts';
import { withHints } from './self-test/hints.ts';
import { selfTest } from './self-test/self-test.ts';
import type { ProviderSettings } from './settings.ts';
import type { Transport } from './transport.ts';

/** A server on this machine that is slow to say what it has loaded must not hold up a session. */
const inspectBudgetMs = 1_500;

/** A provider that lives in this process, e.g. the demo. */
export type ExtraProvider = {
  id: string;
  open(ref: ModelRef): ModelClient;
  choices: readonly ModelChoice[];
};

type ModelDirectoryOptions = {
  settings: ProviderSettings;
  env: Environment;
  /** The folder of the user's own files. */
  home: string;
  clock: Clock;
  extra?: readonly ExtraProvider[];
  /** Stands in for the network. */
  transport?: Transport;
};

export interface ModelCatalogue extends ModelDirectory {
  /** Each value is the whole list so far; ends when every server has answered or run out of time. */
  choices(
    signal: AbortSignal,
    onSilent?: (silent: SilentProvider) => void,
  ): AsyncIterable<readonly ModelChoice[]>;
  /**
   * Reads `provider/model[#effort]`, an alias, or an id that only one provider has. Rejects with an
   * `LlmcodeError` that names the nearest known model.
   */
  resolve(text: string, signal?: AbortSignal): Promise<ModelRef>;
  info(ref: ModelRef): Promise<ModelInfo>;
  route(purpose: RoutePurpose): Promise<readonly ModelRef[]>;
  fallback(): FallbackPlan;
  /** Fetches the providers' own lists and keeps them; each result as it comes. */
  refresh(signal: AbortSignal): AsyncIterable<Refreshed>;
  /** Finds out with a few small requests what a model can do, and keeps that. Rejects when there is no such model. */
  test(
    ref: ModelRef,
    options: { signal: AbortSignal; onCheck: (name: string) => void },
  ): Promise<CapabilityCard>;
  /** Of when the values are that no server was asked for: the catalogue (a date), and the lists (milliseconds since 1970). */
  dates(): { catalogue: string; lists: ReadonlyMap<string, number> };
  /** What the last test showed, while it counts. */
  card(ref: ModelRef): Promise<CapabilityCard | undefined>;
}

/** Finds and opens models. Loads no SDK and uses no network until it is asked for something. */
export function createModelDirectory(options: ModelDirectoryOptions): ModelCatalogue {
  const { settings, env, clock, extra = [] } = options;
  const connections = readConnections(settings, env, options.transport);
  withFetchedLists(connections, options.home);
  const nextId = createIdSource();
  const capabilities = createCapabilityStore({ home: options.home, clock });
  const policy = {
    maxAttempts: settings.max_retries + 1,
    maxWaitMs: defaultMaxWaitMs,
    overloadWaitsMs: settings.overload_waits.map((seconds) => seconds * 1_000),
    random: Math.random,
  };
  const resolver = new ModelResolver({ settings, connections, extra });

  const connectionOf = (ref: ModelRef): Connection => {
    const connection = connections.get(ref.provider);
    if (!connection) throw unknownModel(`${ref.provider}/${ref.model}`, resolver.knownNames());
    return connection;
  };

  const describe = async (ref: ModelRef) => {
    const connection = connectionOf(ref);
    const def = providerDefs[connection.type];
    const server = await inspect(ref, connection, resolver);
    const learned = await capabilities.read({ baseUrl: connection.baseUrl, model: ref.model });
    const info = modelInfo({
      ref,
      connection,
      family: def.family(connection),
      server,
      pricing: settings.pricing,
      learned,
    });
    return { connection, def, server, info };
  };

  return {
    async open(ref) {
      const own = extra.find((provider) => provider.id === ref.provider);
      if (own) return own.open(ref);
      return createModelClient({ ...(await describe(ref)), capabilities, clock, policy, nextId });
    },
    async info(ref) {
      const own = extra.find((provider) => provider.id === ref.provider);
      return own ? own.open(ref).info : (await describe(ref)).info;
    },
    async *choices(signal, onSilent) {
      const fixed = extra.flatMap((provider) => provider.choices);
      const learned = await capabilities.all();
      for await (const found of detectChoices({ connections, settings, signal, onSilent }))
        yield [...withHints(found, { connections, learned }), ...fixed];
    },
    resolve: (text, signal) => resolver.resolve(text, signal),
    async route(purpose) {
      const named = settings.model_routing[purpose] ?? [];
      const refs = await Promise.all([named].flat().map((text) => resolveOrSkip(text, resolver)));
      return refs.filter((ref) => ref !== undefined);
    },
    async test(ref, { signal, onCheck }) {
      const own = extra.find((provider) => provider.id === ref.provider)?.open(ref);
      if (own) return selfTest({ native: own, text: own }, { clock, signal, onCheck });
      const described = { ref, ...(await describe(ref)) };
      const { pricing } = settings;
      const candidates = candidatesFor(described, { clock, nextId, pricing });
      const card = await selfTest(candidates, { clock, signal, onCheck });
      const { baseUrl } = described.connection;
      const { toolCalling } = card;
      // A server that is not there now may be there tomorrow.
      if (card.failure !== undefined || signal.aborted) return card;
      const facts = toolCalling === 'none' ? { card } : { card, toolCalling };
      await capabilities.learn({ baseUrl, model: ref.model }, facts);
      return card;
    },
    dates: () => ({
      catalogue: catalogueDate,
      lists: new Map([...connections].flatMap(([id, { fetched }]) => (fetched ? [[id, fetched.at]] : []))),
    }),
    card: async (ref) => {
      const baseUrl = connections.get(ref.provider)?.baseUrl;
      return baseUrl === undefined
        ? undefined
        : cardOf(await capabilities.read({ baseUrl, model: ref.model }));
    },
    refresh: (signal) => refreshLists(connections, { home: options.home, now: clock.now(), signal }),
    fallback() {
      const { fallback, fallback_after, rest, return: returns } = settings.model_routing;
      const models = fallback.map((name) => ({ name, resolve: () => resolver.resolve(name) }));
      return { models, afterFailures: fallback_after, restMs: rest * 1_000, returns };
    },
  };
}

async function resolveOrSkip(text: string, resolver: ModelResolver): Promise<ModelRef | undefined> {
  try {
    return await resolver.resolve(text);
  } catch (error) {
    log('model_routing names a model that is not to be had:', text, error);
    return undefined;
  }
}

/** Rejects only when the server says that it has no such model; a silent server is found out at the first call. */
async function inspect(ref: ModelRef, connection: Connection, resolver: ModelResolver): Promise<ServerFacts> {
  const def = providerDefs[connection.type];
  // Settings that give the window have said what matters; Ollama is asked all the same, for what to load.
  const isSet = connection.type !== 'ollama' && connection.models[ref.model]?.context_window !== undefined;
  if (!def.inspect || isSet) return {};
  let facts: ServerFacts | undefined;
  try {
    facts = await def.inspect(connection, ref.model, AbortSignal.timeout(inspectBudgetMs));
  } catch (error) {
    log('model facts of', connection.id, 'are not to be had:', error);
    return {};
  }
  if (facts) return facts;
  throw unknownModel(`${ref.provider}/${ref.model}`, await resolver.namesOf(connection));
}
