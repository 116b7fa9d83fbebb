import { errorText } from '#lib/errors.ts';
import type { ModelChoice, ModelRef, SilentProvider } from '#protocol/model-ref.ts';
import { listedModels } from './catalogue/lookup.ts';
import type { Connection } from './connections.ts';
import { providerDefs } from './index.ts';
import { HttpStatusError } from './local/fetch-json.ts';
import { modelInfo, type ServerFacts } from './model-facts.ts';
import type { Patience, ServerModel } from './provider-def.ts';
import type { ProviderSettings } from './settings.ts';

/** What a server on this machine that nobody named gets to answer; one that the settings name gets more. */
const localBudgetMs = 300;
const namedBudgetMs = 2_000;
/** A server that has shown that it is there may take a little longer to describe its models. */
const detailsBudgetMs = 1_000;

type DetectOptions = {
  connections: ReadonlyMap<string, Connection>;
  settings: ProviderSettings;
  signal: AbortSignal;
  /** Hears of each provider that was named by the person and does not answer. */
  onSilent?: ((silent: SilentProvider) => void) | undefined;
};

/**
 * Every model that can be had, as a list that grows: first what settings, environment and catalogue say without
 * any network, then each server that answers in time.
 */
export async function* detectChoices(options: DetectOptions): AsyncGenerator<readonly ModelChoice[]> {
  const { connections, signal } = options;
  const all = [...connections.values()];
  const found = all.flatMap((connection) => offlineChoices(connection, options.settings));
  yield [...found];
  const pending = new Map(
    all
      .filter((connection) => isAsked(connection, options.settings))
      .map((connection) => {
        const answer = serverChoices(connection, options).then((choices) => ({ id: connection.id, choices }));
        return [connection.id, answer] as const;
      }),
  );
  while (pending.size > 0 && !signal.aborted) {
    const { id, choices } = await Promise.race(pending.values());
    pending.delete(id);
    const isNew = (choice: ModelChoice) => !found.some((known) => isSame(known.ref, choice.ref));
    const fresh = choices.filter(isNew);
    if (fresh.length === 0) continue;
    found.push(...fresh);
    yield [...found];
  }
}

function isSame(one: ModelRef, two: ModelRef): boolean {
  return one.provider === two.provider && one.model === two.model;
}

function offlineChoices(connection: Connection, settings: ProviderSettings): ModelChoice[] {
  const configured = Object.keys(connection.models);
  // A key or a setting makes a vendor's catalogue available; a guess about a local server does not.
  const listed = connection.isGuess ? [] : vendorModels(connection).map((entry) => entry.id);
  const fetched = Object.keys(connection.fetched?.models ?? {});
  return [...new Set([...configured, ...listed, ...fetched])].map((model) =>
    choiceOf(connection, { model, settings }),
  );
}

function vendorModels({ vendor }: Connection) {
  return vendor === undefined ? [] : listedModels(vendor);
}

function isAsked(connection: Connection, settings: ProviderSettings): boolean {
  if (connection.isGuess) return settings.local_servers !== false;
  if (connection.server || connection.isLocal) return true;
  // Somebody's own server; the big vendors' lists are long and known.
  const isOwn = connection.source === 'config' && vendorModels(connection).length === 0;
  return isOwn && Object.keys(connection.models).length === 0;
}

/** Never rejects: a server that does not answer has no models. */
async function serverChoices(
  connection: Connection,
  { settings, signal, onSilent }: DetectOptions,
): Promise<readonly ModelChoice[]> {
  const isNamed = connection.source === 'config' || !connection.isLocal;
  const budgetMs = isNamed ? namedBudgetMs : localBudgetOf(settings);
  const within = (ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  try {
    const models = await listServer(connection, {
      signal: within(budgetMs),
      details: within(budgetMs + detailsBudgetMs),
    });
    return models.map(({ id, name, facts }) =>
      choiceOf(connection, { model: id, name, server: facts, settings }),
    );
  } catch (error) {
    // Nothing listens there, or not for us. One that lists nothing while the settings do is no less useful.
    const { id, baseUrl, isGuess, models } = connection;
    const isThere = error instanceof HttpStatusError && Object.keys(models).length > 0;
    if (!isGuess && !isThere && !signal.aborted)
      onSilent?.({ provider: id, address: baseUrl, reason: silenceReason(error, budgetMs) });
    return [];
  }
}

/** Why a server lists no models, in a few words. */
export function silenceReason(error: unknown, budgetMs: number): string {
  if (error instanceof HttpStatusError) {
    if (error.status === 401 || error.status === 403) return `wants another key (${error.status})`;
    return error.status === 200 ? 'answers with something else' : `answers ${error.status}`;
  }
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `no answer in ${budgetMs / 1_000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'no such host';
    default:
      return errorText(cause ?? error);
  }
}

function localBudgetOf({ local_servers: set }: ProviderSettings): number {
  return (typeof set === 'object' ? set.budget_ms : undefined) ?? localBudgetMs;
}

export async function listServer(
  connection: Connection,
  patience: Patience,
): Promise<readonly ServerModel[]> {
  const models = (await providerDefs[connection.type].list?.(connection, patience)) ?? [];
  // Embedding models cannot hold a conversation.
  return models.filter(({ id }) => !/(^|[/_-])(embed|embedding|rerank)/i.test(id));
}

type ChoiceFacts = {
  model: string;
  name?: string | undefined;
  server?: ServerFacts;
  settings: ProviderSettings;
};

function choiceOf(connection: Connection, { model, name, server, settings }: ChoiceFacts): ModelChoice {
  const ref = { provider: connection.id, model };
  const family = providerDefs[connection.type].family(connection);
  const info = modelInfo({ ref, connection, family, server: server ?? {}, pricing: settings.pricing });
  return {
    ref,
    label: name ?? info.name,
    source: connection.source,
    detail: detailOf(connection, server),
    info,
  };
}

function detailOf(connection: Connection, server: ServerFacts | undefined): string {
  const facts = [
    placeOf(connection),
    ...(server?.contextWindow ? [`${Math.round(server.contextWindow / 1_024)}k context`] : []),
    ...(server?.tools === false ? ['cannot call tools'] : []),
    ...(server?.warning ? [server.warning] : []),
  ];
  return facts.join(' · ');
}

function placeOf(connection: Connection): string {
  switch (connection.source) {
    case 'local-server':
      return 'running here';
    case 'environment':
      if (connection.keyEnv && connection.apiKey) return `${connection.keyEnv} is set`;
      return connection.server ? 'OLLAMA_HOST is set' : 'set in the environment';
    case 'config':
      return connection.needsKey && !connection.apiKey
        ? `in the settings, ${connection.keyEnv} is not set`
        : 'in the settings';
    case 'demo':
      return 'demo';
  }
}
