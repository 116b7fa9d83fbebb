import type { JsonValue } from '#protocol/json.ts';
import type { Connection } from '../connections.ts';
import type { ServerFacts } from '../model-facts.ts';
import type { ServerModel } from '../provider-def.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from '../wire/json.ts';
import { fetchJson } from './fetch-json.ts';

/** Below this an agent's own prompt leaves too little room to work. */
const smallWindow = 16_000;

/** `GET /models`, with what the various servers add to it. */
export async function listModels(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerModel[]> {
  const answer = await fetchJson(`${connection.baseUrl}/models`, { signal, headers: headersOf(connection) });
  return entriesOf(answer).flatMap((entry) => {
    const id = asText(entry['id']) ?? asText(entry['model']) ?? asText(entry['name']);
    return id ? [{ id, facts: factsOf(entry) }] : [];
  });
}

/**
 * What a local server says of one model, from wherever it says it: the model list (vLLM, gateways), `/props`
 * (llama.cpp), `/api/v0/models` (LM Studio). A server that answers none of them gives no facts.
 */
export async function inspectModel(
  connection: Connection,
  modelId: string,
  signal: AbortSignal,
): Promise<ServerFacts | undefined> {
  const root = connection.baseUrl.replace(/\/v1$/, '');
  const headers = headersOf(connection);
  const [list, props, studio] = await Promise.all([
    listModels(connection, signal).catch(() => undefined), // Any of the three may be missing.
    fetchJson(`${root}/props`, { signal, headers }).catch(() => undefined),
    fetchJson(`${root}/api/v0/models`, { signal, headers }).catch(() => undefined),
  ]);
  const isKnownProgram = connection.server !== undefined && connection.server.id !== 'llamacpp';
  const listed = list?.find((model) => model.id === modelId);
  if (isKnownProgram && list && list.length > 0 && !listed) return undefined;
  const facts = { ...listed?.facts, ...propsFacts(props), ...studioFacts(studio, modelId) };
  return { ...facts, ...smallWindowWarning(facts, connection, modelId) };
}

function headersOf({ apiKey, headers }: Connection): Record<string, string> {
  return { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers };
}

function entriesOf(answer: JsonValue): JsonObject[] {
  const top = asObject(answer);
  const list = asArray(answer) ?? asArray(top?.['data']) ?? asArray(top?.['models']) ?? [];
  return list.flatMap((value) => {
    const entry = asObject(value);
    return entry ? [entry] : [];
  });
}

function factsOf(entry: JsonObject): ServerFacts {
  const window =
    asCount(entry['max_model_len']) ??
    asCount(entry['context_length']) ??
    asCount(entry['context_window']) ??
    asCount(entry['max_context_length']) ??
    asCount(asObject(entry['meta'])?.['n_ctx_train']);
  const modalities = asArray(asObject(entry['architecture'])?.['input_modalities']);
  const output =
    asCount(asObject(entry['top_provider'])?.['max_completion_tokens']) ??
    asCount(entry['max_completion_tokens']);
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(output ? { outputLimit: output } : {}),
    ...(modalities ? { images: modalities.includes('image') } : {}),
  };
}

function propsFacts(props: JsonValue | undefined): ServerFacts {
  const top = asObject(props);
  const window = asCount(asObject(top?.['default_generation_settings'])?.['n_ctx']);
  const vision = asObject(top?.['modalities'])?.['vision'];
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(typeof vision === 'boolean' ? { images: vision } : {}),
  };
}

function studioFacts(answer: JsonValue | undefined, modelId: string): ServerFacts {
  const entry = answer === undefined ? undefined : entriesOf(answer).find((model) => model['id'] === modelId);
  if (!entry) return {};
  const window = asCount(entry['loaded_context_length']) ?? asCount(entry['max_context_length']);
  const abilities = asArray(entry['capabilities']);
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(entry['type'] === 'vlm' ? { images: true } : {}),
    ...(abilities ? { tools: abilities.includes('tool_use') } : {}),
  };
}

function smallWindowWarning(facts: ServerFacts, connection: Connection, modelId: string): ServerFacts {
  const { contextWindow } = facts;
  if (contextWindow === undefined || contextWindow >= smallWindow) return {};
  const fixes: Readonly<Record<string, string>> = {
    lmstudio: `lms load ${modelId} --context-length 32768`,
    vllm: 'vllm serve --max-model-len 32768',
    llamacpp: 'llama-server -c 32768',
  };
  const fix = fixes[connection.server?.id ?? ''];
  return { warning: `only ${contextWindow} tokens of context${fix ? `; more with \`${fix}\`` : ''}` };
}
