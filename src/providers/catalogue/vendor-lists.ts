import type { JsonValue } from '#protocol/json.ts';
import type { Connection } from '../connections.ts';
import { fetchJson } from '../local/fetch-json.ts';
import type { ServerModel } from '../provider-def.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from '../wire/json.ts';

/** The models that Anthropic's API lists, with the limits that it states for them. */
export async function listAnthropic(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerModel[]> {
  const answer = await ask(connection, `${connection.baseUrl}/models?limit=1000`, {
    signal,
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': connection.apiKey ?? '' },
  });
  return entriesOf(answer, 'data').flatMap((entry) => {
    const id = asText(entry['id']);
    if (!id) return [];
    const abilities = asObject(entry['capabilities']);
    return [
      {
        id,
        ...named(entry['display_name']),
        facts: {
          ...counted('contextWindow', entry['max_input_tokens']),
          ...counted('outputLimit', entry['max_tokens']),
          ...flagged('images', asObject(abilities?.['image_input'])?.['supported']),
          ...flagged('reasoning', asObject(abilities?.['thinking'])?.['supported']),
        },
      },
    ];
  });
}

/** The models that the Gemini API lists for generating text. */
export async function listGoogle(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerModel[]> {
  const answer = await ask(connection, `${connection.baseUrl}/models?pageSize=1000`, {
    signal,
    headers: { 'x-goog-api-key': connection.apiKey ?? '' },
  });
  return entriesOf(answer, 'models').flatMap((entry) => {
    const id = asText(entry['name'])?.replace(/^models\//, '');
    const methods = asArray(entry['supportedGenerationMethods']);
    if (!id || (methods && !methods.includes('generateContent'))) return [];
    return [
      {
        id,
        ...named(entry['displayName']),
        facts: {
          ...counted('contextWindow', entry['inputTokenLimit']),
          ...counted('outputLimit', entry['outputTokenLimit']),
          ...flagged('reasoning', entry['thinking']),
        },
      },
    ];
  });
}

function ask(
  { headers: own, transport }: Connection,
  url: string,
  { signal, headers }: { signal: AbortSignal; headers: Record<string, string> },
): Promise<JsonValue> {
  return fetchJson(url, { signal, headers: { ...headers, ...own }, network: transport.lookUp });
}

function entriesOf(answer: JsonValue, key: string): JsonObject[] {
  return (asArray(asObject(answer)?.[key]) ?? []).map(asObject).filter((each) => each !== undefined);
}

function named(value: JsonValue | undefined): { name?: string } {
  const name = asText(value);
  return name ? { name } : {};
}

function counted<Key extends string>(key: Key, value: JsonValue | undefined): { [K in Key]?: number } {
  const count = asCount(value);
  return (count !== null && count > 0 ? { [key]: count } : {}) as { [K in Key]?: number };
}

function flagged<Key extends string>(key: Key, value: JsonValue | undefined): { [K in Key]?: boolean } {
  return (typeof value === 'boolean' ? { [key]: value } : {}) as { [K in Key]?: boolean };
}
