import { LlmcodeError } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import { readConnections } from './connections.ts';
import { listServer, silenceReason } from './detect.ts';
import { type ProviderEntry, providerSettings } from './settings.ts';

const budgetMs = 4_000;

/** Names of the models that the server of a provider lists, e.g. before it is written down. Rejects with why not. */
export async function listModelsOf(
  entry: ProviderEntry,
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<readonly string[]> {
  const id = 'asked';
  const connection = readConnections(providerSettings.parse({ providers: { [id]: entry } }), env).get(id);
  if (!connection) return [];
  const patience = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)]);
  try {
    const models = await listServer(connection, { signal: patience, details: patience });
    return models.map((model) => model.id);
  } catch (error) {
    const reason = silenceReason(error, budgetMs);
    throw new LlmcodeError('models-not-listed', reason, { cause: error });
  }
}
