import { formatCount } from '#lib/amounts.ts';
import type { Connection } from '../connections.ts';
import type { ServerFacts } from '../model-facts.ts';
import type { Patience, ServerModel } from '../provider-def.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from '../wire/json.ts';
import { fetchJson, HttpStatusError } from './fetch-json.ts';
import { smallText, smallWindow } from './loaded-facts.ts';

/** What Ollama loads a model with when nobody says otherwise; it cuts longer prompts without a word. */
const serverDefault = 4_096;
/** What we ask for instead, as far as the model reaches. */
const wanted = 32_768;
const maxShown = 24;

/** The models that are there, with what `/api/show` and `/api/ps` say of them. */
export async function listOllama(
  connection: Connection,
  { signal, details }: Patience,
): Promise<readonly ServerModel[]> {
  const tags = asObject(
    await fetchJson(`${connection.baseUrl}/api/tags`, { signal, network: connection.transport.lookUp }),
  );
  const names = (asArray(tags?.['models']) ?? []).flatMap((value) => asText(asObject(value)?.['name']) ?? []);
  const loaded = await loadedWindows(connection, details).catch(() => new Map<string, number>());
  return Promise.all(
    names.map(async (id, index): Promise<ServerModel> => {
      if (index >= maxShown) return { id, facts: {} };
      // The names are worth more than what could not be said about them in time.
      const show = await showModel(connection, id, details).catch(() => undefined);
      return { id, facts: asShown(show, { connection, loaded: loaded.get(id) }) };
    }),
  );
}

function asShown(
  show: JsonObject | 'missing' | 'unsaid' | undefined,
  context: { connection: Connection; loaded: number | undefined },
): ServerFacts {
  return typeof show === 'object' ? factsOf(show, context) : {};
}

/** undefined when Ollama has no such model; no facts when the server is not quite Ollama. */
export async function inspectOllama(
  connection: Connection,
  modelId: string,
  signal: AbortSignal,
): Promise<ServerFacts | undefined> {
  const [show, loaded] = await Promise.all([
    showModel(connection, modelId, signal),
    loadedWindows(connection, signal),
  ]);
  if (show === 'missing') return undefined;
  if (show === 'unsaid') return {};
  return factsOf(show, { connection, loaded: loaded.get(modelId) ?? loaded.get(`${modelId}:latest`) });
}

async function showModel(
  connection: Connection,
  model: string,
  signal: AbortSignal,
): Promise<JsonObject | 'missing' | 'unsaid'> {
  try {
    const show = asObject(
      await fetchJson(`${connection.baseUrl}/api/show`, {
        signal,
        network: connection.transport.lookUp,
        body: { model },
      }),
    );
    return show && asObject(show['model_info']) ? show : 'unsaid';
  } catch (error) {
    if (!(error instanceof HttpStatusError)) throw error;
    return error.status === 404 && /model .*not found/i.test(error.body) ? 'missing' : 'unsaid';
  }
}

async function loadedWindows(connection: Connection, signal: AbortSignal): Promise<Map<string, number>> {
  const windows = new Map<string, number>();
  try {
    const running = asObject(
      await fetchJson(`${connection.baseUrl}/api/ps`, { signal, network: connection.transport.lookUp }),
    );
    for (const value of asArray(running?.['models']) ?? []) {
      const model = asObject(value);
      const window = asCount(model?.['context_length']);
      const name = asText(model?.['name']);
      if (name && window) windows.set(name, window);
    }
  } catch (error) {
    if (!(error instanceof HttpStatusError)) throw error; // Older servers have no such path.
  }
  return windows;
}

function factsOf(
  show: JsonObject,
  { connection, loaded }: { connection: Connection; loaded: number | undefined },
): ServerFacts {
  const abilities = asArray(show['capabilities']);
  const window = chooseWindow(show, { connection, loaded });
  return {
    ...(abilities
      ? {
          tools: abilities.includes('tools'),
          images: abilities.includes('vision'),
          reasoning: abilities.includes('thinking'),
        }
      : {}),
    ...window,
  };
}

/**
 * Ollama's OpenAI endpoint takes no `num_ctx` and would load the model with a window that an agent's prompt
 * overflows unseen. So the native endpoint is used with a size of our own, the same in every request since a
 * change reloads the model: the setting, else the Modelfile's, else 32k or more if so much is loaded already.
 */
function chooseWindow(
  show: JsonObject,
  { connection, loaded }: { connection: Connection; loaded: number | undefined },
): ServerFacts {
  const info = asObject(show['model_info']) ?? {};
  const largest = asCount(info[`${asText(info['general.architecture']) ?? ''}.context_length`]) ?? undefined;
  const modelfile = /^num_ctx\s+(\d+)/m.exec(asText(show['parameters']) ?? '')?.[1];
  const own = modelfile ? Number(modelfile) : undefined;
  if (connection.numCtx === 'server') {
    const contextWindow = loaded ?? own ?? serverDefault;
    return { contextWindow, ...smallWarning(contextWindow, { connection, largest }) };
  }
  const chosen = connection.numCtx ?? own ?? Math.max(loaded ?? 0, Math.min(wanted, largest ?? wanted));
  const numCtx = Math.min(chosen, largest ?? chosen);
  return { contextWindow: numCtx, numCtx, ...smallWarning(numCtx, { connection, largest }) };
}

function smallWarning(
  window: number,
  { connection, largest }: { connection: Connection; largest: number | undefined },
): { warning?: string } {
  if (window >= smallWindow) return {};
  const isModelSmall = largest !== undefined && largest < smallWindow;
  const fix = isModelSmall
    ? `the model itself takes no more than ${formatCount(largest)}, choose another one`
    : `set "num_ctx": ${wanted} for provider "${connection.id}"`;
  return { warning: `${smallText(window)}; ${fix}` };
}
