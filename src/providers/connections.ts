import type { Environment } from '#lib/paths.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import { isLocalUrl, normalBaseUrl, ollamaUrl } from './base-url.ts';
import type { FetchedList } from './catalogue/fetched-lists.ts';
import type { ModelSettings, ProviderEntry, ProviderSettings, ProviderType } from './settings.ts';
import { directTransport, type Transport } from './transport.ts';
import { type LocalServer, localServers, type WellKnown, wellKnown } from './well-known.ts';

/** How to reach one provider: settings, environment and defaults put together. */
export type Connection = {
  id: string;
  type: ProviderType;
  /** The vendor behind it, whose models and prices are known. */
  vendor: string | undefined;
  baseUrl: string;
  apiKey: string | undefined;
  /** The variable that the key came from or should come from. */
  keyEnv: string | undefined;
  /** True when the server is known to want a key, so that asking it without one is pointless. */
  needsKey: boolean;
  headers: Readonly<Record<string, string>>;
  models: Readonly<Record<string, ModelSettings>>;
  api: 'responses' | 'chat';
  toolCalling: 'native' | 'text' | 'auto';
  wantsSummary: boolean;
  numCtx: number | 'server' | undefined;
  isLocal: boolean;
  source: ModelChoice['source'];
  /** Set for the programs that are looked for on this machine. */
  server: LocalServer | undefined;
  /** A server that was not asked for: it counts only once it has answered. */
  isGuess: boolean;
  idleTimeoutMs: number;
  firstTokenTimeoutMs: number;
  transport: Transport;
  /** Its own list of models as it was last fetched. */
  fetched: FetchedList | undefined;
};

/** Id of the nameless provider of the older settings form. */
export const singleId = 'custom';

const idleMs = 120_000;
const firstTokenMs = 300_000;
/** A local model may read a long prompt for many minutes. */
const localFirstTokenMs = 1_800_000;

/** Every provider that a reference may name, by id. The configured ones come first. */
export function readConnections(
  settings: ProviderSettings,
  env: Environment,
  transport = directTransport,
): Map<string, Connection> {
  const connections = new Map<string, Connection>();
  const add = (connection: Connection | undefined) => {
    if (connection && !connections.has(connection.id))
      connections.set(connection.id, { ...connection, transport });
  };
  for (const [id, entry] of Object.entries(settings.providers)) add(configured(id, entry, settings, env));
  add(singleProvider(settings, env));
  for (const vendor of wellKnown) add(fromEnvironment(vendor, settings, env));
  for (const server of localServers) add(localServer(server, settings, env));
  return connections;
}

function configured(
  id: string,
  entry: ProviderEntry,
  settings: ProviderSettings,
  env: Environment,
): Connection {
  const vendor = wellKnown.find((known) => known.id === id);
  const server = localServers.find((known) => known.id === id);
  const type = entry.type ?? vendor?.type ?? server?.type ?? 'openai-compatible';
  const defaults = wellKnown.find((known) => known.type === type && known.id === type) ?? vendor;
  const url =
    entry.base_url ?? vendor?.baseUrl ?? serverUrl(server, settings, env) ?? defaults?.baseUrl ?? '';
  const baseUrl = normalBaseUrl(url, type);
  // A vendor's key goes to that vendor alone unless the settings say otherwise.
  const isOwnHost = defaults !== undefined && sameHost(baseUrl, defaults.baseUrl);
  const keyEnv = entry.api_key_env ?? (isOwnHost ? defaults.keyEnv : undefined);
  return {
    ...common({ id, type, baseUrl, isLocal: entry.local, settings }),
    apiKey: entry.api_key ?? (keyEnv ? env[keyEnv] : undefined),
    keyEnv,
    needsKey: keyEnv !== undefined && entry.headers === undefined,
    headers: entry.headers ?? {},
    models: modelMap(entry.models),
    api: entry.api ?? 'responses',
    toolCalling: entry.tool_calling ?? 'auto',
    wantsSummary: entry.reasoning_summary ?? true,
    numCtx: entry.num_ctx,
    source: 'config',
    server,
    ...(entry.timeout_ms === undefined ? {} : { idleTimeoutMs: entry.timeout_ms }),
    ...(entry.first_token_timeout_ms === undefined
      ? {}
      : { firstTokenTimeoutMs: entry.first_token_timeout_ms }),
  };
}

function singleProvider(settings: ProviderSettings, env: Environment): Connection | undefined {
  const { provider } = settings;
  if (provider === undefined || typeof provider === 'string' || !provider.base_url) return undefined;
  const keyEnv = provider.api_key_env ?? (env['LLM_API_KEY'] ? 'LLM_API_KEY' : undefined);
  const entry: ProviderEntry = {
    base_url: provider.base_url,
    ...(keyEnv ? { api_key_env: keyEnv } : {}),
    ...(provider.type ? { type: provider.type } : {}),
    ...(provider.api_key ? { api_key: provider.api_key } : {}),
  };
  return configured(singleId, entry, settings, env);
}

function fromEnvironment(
  vendor: WellKnown,
  settings: ProviderSettings,
  env: Environment,
): Connection | undefined {
  const key = env[vendor.keyEnv];
  const ownUrl = env[vendor.baseUrlEnv];
  if (!key && !ownUrl) return undefined;
  const baseUrl = normalBaseUrl(ownUrl || vendor.baseUrl, vendor.type);
  // What others put at OPENAI_BASE_URL seldom speaks more than Chat Completions.
  const isForeign = vendor.type === 'openai' && !sameHost(baseUrl, vendor.baseUrl);
  const type = isForeign ? 'openai-compatible' : vendor.type;
  return {
    ...common({ id: vendor.id, type, baseUrl, settings }),
    apiKey: key || undefined,
    keyEnv: vendor.keyEnv,
    needsKey: sameHost(baseUrl, vendor.baseUrl),
    source: 'environment',
  };
}

function localServer(server: LocalServer, settings: ProviderSettings, env: Environment): Connection {
  const isAsked = server.id === 'ollama' && Boolean(env['OLLAMA_HOST']);
  const baseUrl = normalBaseUrl(serverUrl(server, settings, env) ?? '', server.type);
  return {
    ...common({ id: server.id, type: server.type, baseUrl, settings }),
    source: isAsked ? 'environment' : 'local-server',
    server,
    isGuess: !isAsked,
  };
}

function serverUrl(
  server: LocalServer | undefined,
  settings: ProviderSettings,
  env: Environment,
): string | undefined {
  if (!server) return undefined;
  const ports = typeof settings.local_servers === 'object' ? settings.local_servers : {};
  const host = env['OLLAMA_HOST'];
  if (server.id === 'ollama' && host && ports.ollama === undefined) return ollamaUrl(host);
  return `http://127.0.0.1:${ports[server.id] ?? server.port}`;
}

function common({
  id,
  type,
  baseUrl,
  isLocal = isLocalUrl(baseUrl),
  settings,
}: {
  id: string;
  type: ProviderType;
  baseUrl: string;
  isLocal?: boolean | undefined;
  settings: ProviderSettings;
}): Omit<Connection, 'source'> {
  return {
    id,
    type,
    vendor: vendorOf(id, baseUrl),
    baseUrl,
    apiKey: undefined,
    keyEnv: undefined,
    needsKey: false,
    headers: {},
    models: {},
    api: 'responses',
    toolCalling: 'auto',
    wantsSummary: true,
    numCtx: undefined,
    isLocal,
    server: undefined,
    isGuess: false,
    idleTimeoutMs: settings.timeout === undefined ? idleMs : settings.timeout * 1_000,
    firstTokenTimeoutMs: isLocal ? localFirstTokenMs : firstTokenMs,
    transport: directTransport,
    fetched: undefined,
  };
}

/** By its host; behind a proxy by its name. */
function vendorOf(id: string, baseUrl: string): string | undefined {
  const byHost = wellKnown.find((vendor) => sameHost(vendor.baseUrl, baseUrl));
  return (byHost ?? wellKnown.find((vendor) => vendor.id === id))?.id;
}

function modelMap(models: ProviderEntry['models']): Readonly<Record<string, ModelSettings>> {
  if (!models) return {};
  return Array.isArray(models) ? Object.fromEntries(models.map((id) => [id, {}])) : models;
}

function sameHost(one: string, two: string): boolean {
  return URL.canParse(one) && URL.canParse(two) && new URL(one).host === new URL(two).host;
}
