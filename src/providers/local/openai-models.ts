import type { JsonValue } from '#protocol/json.ts';
import type { Connection } from '../connections.ts';
import type { ServerFacts } from '../model-facts.ts';
import type { Patience, ServerModel } from '../provider-def.ts';
import { asArray, asObject, asText, type JsonObject } from '../wire/json.ts';
import { fetchJson } from './fetch-json.ts';
import { listedFacts } from './listed-facts.ts';
import { askSides, sideFacts } from './loaded-facts.ts';

/** `GET /models`, with what the various servers and gateways add to it. */
export async function listModels(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerModel[]> {
  const entries = await askList(connection, signal);
  return entries.map(({ id, entry }) => {
    const name = asText(entry['name']);
    return { id, ...(name && name !== id ? { name } : {}), facts: listedFacts(entry) };
  });
}

/** The same of a server on this machine, with what it says elsewhere of what it has really loaded. */
export async function listLocalModels(
  connection: Connection,
  { signal, details }: Patience,
): Promise<readonly ServerModel[]> {
  const [entries, sides] = await Promise.all([
    askList(connection, signal),
    askSides(connection, { signal: details, headers: headersOf(connection) }),
  ]);
  return entries.map(({ id, entry }) => ({
    id,
    facts: sideFacts(connection, { modelId: id, entry, sides }),
  }));
}

/**
 * What a local server says of one model, from wherever it says it. A server that says nothing gives no facts;
 * undefined when it is known to have no such model.
 */
export async function inspectModel(
  connection: Connection,
  modelId: string,
  signal: AbortSignal,
): Promise<ServerFacts | undefined> {
  const [entries, sides] = await Promise.all([
    askList(connection, signal).catch(() => undefined), // What it says elsewhere may be enough.
    askSides(connection, { signal, headers: headersOf(connection) }),
  ]);
  const isKnownProgram = connection.server !== undefined && connection.server.id !== 'llamacpp';
  const entry = entries?.find(({ id }) => id === modelId)?.entry;
  if (isKnownProgram && entries && entries.length > 0 && !entry) return undefined;
  return sideFacts(connection, { modelId, entry, sides });
}

type ListEntry = { id: string; entry: JsonObject };

async function askList(connection: Connection, signal: AbortSignal): Promise<ListEntry[]> {
  const answer = await fetchJson(`${connection.baseUrl}/models`, {
    signal,
    headers: headersOf(connection),
    network: connection.transport.lookUp,
  });
  return entriesOf(answer).flatMap((entry) => {
    const id = asText(entry['id']) ?? asText(entry['model']) ?? asText(entry['name']);
    return id ? [{ id, entry }] : [];
  });
}

function headersOf({ apiKey, headers }: Connection): Record<string, string> {
  return { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers };
}

function entriesOf(answer: JsonValue): JsonObject[] {
  const top = asObject(answer);
  const list = asArray(answer) ?? asArray(top?.['data']) ?? asArray(top?.['models']) ?? [];
  return list.map(asObject).filter((each) => each !== undefined);
}
