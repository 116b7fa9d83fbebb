import { errorText, LlmcodeError } from '#lib/errors.ts';
import type { Connection } from '../connections.ts';
import { listServer, silenceReason } from '../detect.ts';
import { type FetchedList, fetchedList, keepFetchedList } from './fetched-lists.ts';

/** What asking one provider for its list came to. `before`: when the list that is still there was fetched. */
export type Refreshed =
  | { provider: string; kind: 'fetched'; models: number; added: readonly string[]; gone: readonly string[] }
  | { provider: string; kind: 'failed'; reason: string; before: number | undefined };

/** A list of hundreds of models may take its time. */
const budgetMs = 15_000;

/**
 * Asks the providers for their own lists of models and keeps those; one that does not answer keeps what it had. What
 * runs on this machine is asked each time anyway. Rejects only when the lists cannot be written.
 */
export async function* refreshLists(
  connections: Map<string, Connection>,
  { home, now, signal }: { home: string; now: number; signal: AbortSignal },
): AsyncGenerator<Refreshed> {
  const asked = [...connections.values()].filter(isWorthAsking);
  const answers = asked.map(async (connection) => ({
    connection,
    list: await fetchList(connection, { now, signal }),
  }));
  for (const answer of answers) {
    const { connection, list } = await answer;
    const { id: provider, fetched: before } = connection;
    if (typeof list === 'string') {
      yield { provider, kind: 'failed', reason: list, before: before?.at };
      continue;
    }
    await keep(home, provider, list);
    connections.set(provider, { ...connection, fetched: list });
    const names = Object.keys(list.models);
    const known = Object.keys(before?.models ?? {});
    const added = before ? names.filter((name) => !known.includes(name)) : [];
    const gone = known.filter((name) => !names.includes(name));
    yield { provider, kind: 'fetched', models: names.length, added, gone };
  }
}

function isWorthAsking({ isGuess, isLocal, needsKey, apiKey }: Connection): boolean {
  return !isGuess && !isLocal && (!needsKey || apiKey !== undefined);
}

/** A text says why there is none. */
async function fetchList(
  connection: Connection,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<FetchedList | string> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)]);
  try {
    const models = await listServer(connection, { signal: within, details: within });
    return models.length === 0 ? 'its list is empty' : fetchedList(connection.baseUrl, now, models);
  } catch (error) {
    return silenceReason(error, budgetMs);
  }
}

async function keep(home: string, id: string, list: FetchedList): Promise<void> {
  try {
    await keepFetchedList(home, id, list);
  } catch (error) {
    throw new LlmcodeError('home-readonly', `${home} cannot be written: ${errorText(error)}`, {
      exitCode: 1,
    });
  }
}
