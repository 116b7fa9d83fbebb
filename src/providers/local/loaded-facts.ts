import { formatCount } from '#lib/amounts.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { Connection } from '../connections.ts';
import type { ServerFacts } from '../model-facts.ts';
import type { LocalServer } from '../well-known.ts';
import { asArray, asObject, asText, type JsonObject } from '../wire/json.ts';
import { fetchJson } from './fetch-json.ts';
import { listedFacts, tokens } from './listed-facts.ts';

/** Below this an agent's own prompt leaves too little room to work. */
export const smallWindow = 16_000;
/** What is asked for instead. */
const goodWindow = 32_768;
/** What Ollama loads a model with when nobody says otherwise. */
const ollamaDefault = 4_096;

/** Answers of the paths beside the model list; each is there with one program only. */
export type Sides = {
  /** llama.cpp */
  props: JsonObject | undefined;
  /** LM Studio */
  studio: readonly JsonObject[] | undefined;
  /** Ollama, reached by its OpenAI endpoint */
  running: readonly JsonObject[] | undefined;
};

/** Never rejects: what is not answered is not there. */
export async function askSides(
  connection: Connection,
  { signal, headers }: { signal: AbortSignal; headers: Readonly<Record<string, string>> },
): Promise<Sides> {
  const root = connection.baseUrl.replace(/\/v1$/, '');
  const ask = (path: string) =>
    fetchJson(`${root}${path}`, { signal, headers, network: connection.transport.lookUp }).catch(
      () => undefined,
    );
  const [props, studio, running] = await Promise.all([ask('/props'), ask('/api/v0/models'), ask('/api/ps')]);
  return {
    props: asObject(props),
    studio: objectsIn(asObject(studio)?.['data']),
    running: objectsIn(asObject(running)?.['models']),
  };
}

/** All that a server said of one model; what it has loaded counts before what the model could be loaded with. */
export function sideFacts(
  connection: Connection,
  { modelId, entry, sides }: { modelId: string; entry: JsonObject | undefined; sides: Sides },
): ServerFacts {
  const facts: ServerFacts = {
    ...(entry ? listedFacts(entry) : {}),
    ...propsFacts(sides.props),
    ...studioFacts(sides.studio, modelId),
    ...ollamaFacts(sides.running, modelId),
  };
  const warning = warningOf(facts, {
    connection,
    modelId,
    program: programOf(connection, { entry, sides }),
    sides,
  });
  return { ...facts, ...(warning ? { warning } : {}) };
}

function propsFacts(props: JsonObject | undefined): ServerFacts {
  // What one of its slots holds: `-c` divided by `-np`.
  const window =
    tokens(asObject(props?.['default_generation_settings'])?.['n_ctx']) ?? tokens(props?.['n_ctx']);
  const vision = asObject(props?.['modalities'])?.['vision'];
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(typeof vision === 'boolean' ? { images: vision } : {}),
  };
}

function studioFacts(models: readonly JsonObject[] | undefined, modelId: string): ServerFacts {
  const model = models?.find((each) => each['id'] === modelId);
  if (!model) return {};
  const window = tokens(model['loaded_context_length']) ?? tokens(model['max_context_length']);
  const abilities = asArray(model['capabilities']);
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(model['type'] === 'vlm' ? { images: true } : {}),
    ...(abilities ? { tools: abilities.includes('tool_use') } : {}),
  };
}

/** Its OpenAI endpoint takes no size of the window: what is loaded, or the default, is what there is. */
function ollamaFacts(running: readonly JsonObject[] | undefined, modelId: string): ServerFacts {
  if (!running) return {};
  const names = [modelId, `${modelId}:latest`];
  const model = running.find((each) => names.includes(asText(each['name']) ?? ''));
  return { contextWindow: tokens(model?.['context_length']) ?? ollamaDefault };
}

type Program = LocalServer['id'];

function programOf(
  { server }: Connection,
  { entry, sides }: { entry: JsonObject | undefined; sides: Sides },
): Program | undefined {
  if (sides.running) return 'ollama';
  if (sides.props) return 'llamacpp';
  if (sides.studio) return 'lmstudio';
  return entry?.['owned_by'] === 'vllm' ? 'vllm' : server?.id;
}

type Context = { connection: Connection; modelId: string; program: Program | undefined; sides: Sides };

function warningOf({ contextWindow }: ServerFacts, context: Context): string | undefined {
  const { program, modelId, sides } = context;
  const model = sides.studio?.find((each) => each['id'] === modelId);
  if (program === 'lmstudio' && model?.['state'] === 'not-loaded')
    return `not loaded yet, and LM Studio may load it with a small context; ${fixOf(context)}`;
  if (contextWindow === undefined || contextWindow >= smallWindow) return undefined;
  const fix = fixOf(context);
  return `${smallText(contextWindow)}${fix ? `; ${fix}` : ''}`;
}

export function smallText(contextWindow: number): string {
  return `only ${formatCount(contextWindow)} tokens of context, too few for an agent`;
}

/** The very words to type or to set. */
function fixOf({ connection, modelId, program }: Context): string | undefined {
  switch (program) {
    case 'ollama':
      return `set "type": "ollama" for provider "${connection.id}", which then asks for ${formatCount(goodWindow)}`;
    case 'lmstudio':
      return `more with \`lms load ${modelId} --context-length ${goodWindow}\``;
    case 'vllm':
      return `more with \`vllm serve ${modelId} --max-model-len ${goodWindow}\``;
    case 'llamacpp':
      return `more with \`llama-server -c ${goodWindow} -np 1\``;
    case undefined:
      return undefined;
  }
}

function objectsIn(value: JsonValue | undefined): JsonObject[] | undefined {
  return asArray(value)
    ?.map(asObject)
    .filter((each) => each !== undefined);
}
