import { formatCount } from '#lib/amounts.ts';
import type { Fact, ModelInfo, ModelRef, Price, ProviderFamily, ToolCalling } from '#protocol/model-ref.ts';
import type { Capability } from './capabilities/capability-store.ts';
import { lookUp } from './catalogue/lookup.ts';
import type { Connection } from './connections.ts';
import { effortsOf } from './efforts.ts';
import { type CapabilityCard, cardOf } from './self-test/card.ts';
import type { ModelSettings, ProviderSettings } from './settings.ts';

/** What a server told of one of its models. */
export type ServerFacts = {
  contextWindow?: number;
  outputLimit?: number;
  images?: boolean;
  tools?: boolean;
  reasoning?: boolean;
  price?: Price;
  /** What a person should know before choosing this model. */
  warning?: string;
  /** Ollama: the context to ask for with every request; undefined = leave it to the server. */
  numCtx?: number;
};

const defaultWindow = 32_768;
const defaultOutput = 8_192;

type FactSources = {
  ref: ModelRef;
  connection: Connection;
  family: ProviderFamily;
  server: ServerFacts;
  pricing: ProviderSettings['pricing'];
  /** What was found out by using it. */
  learned?: Capability | undefined;
};

/**
 * All that is known of a model, the strongest source first: settings, its server, the provider's list as it was last
 * fetched, the catalogue, a careful default.
 */
export function modelInfo({ ref, connection, family, pricing, learned, ...told }: FactSources): ModelInfo {
  const server = { ...testedFacts(cardOf(learned)), ...told.server };
  const set = connection.models[ref.model] ?? {};
  const vendor = connection.vendor ?? connection.id;
  const known = lookUp(ref.model, vendor);
  const listed = connection.fetched?.models[ref.model];
  const contextWindow = fact(
    [set.context_window, server.contextWindow, listed?.contextWindow, known?.window],
    defaultWindow,
  );
  const outputLimit = fact(
    [set.output_limit, server.outputLimit, listed?.outputLimit, known?.output],
    Math.min(defaultOutput, Math.floor(contextWindow.value / 4)),
  );
  const price = priceOf(set.price, [
    pairPrice(pricing[ref.model] ?? pricing['default']),
    server.price,
    listed?.price,
    known?.vendor === vendor ? known.price : undefined,
  ]);
  const tools = fact([set.tools, server.tools, listed?.tools, known ? true : undefined], true);
  const reasoning = fact([set.reasoning, server.reasoning, listed?.reasoning, known?.reasoning], false);
  const efforts = fact([set.efforts, undefined, undefined, known?.efforts], effortsOf[family]);
  const editTool = strongest([set.edit_tool, undefined, undefined, known?.editTool]);
  return {
    ref,
    name: set.name ?? known?.name ?? listed?.name ?? ref.model,
    family,
    contextWindow,
    // An answer must leave room for the question.
    outputLimit: { ...outputLimit, value: Math.min(outputLimit.value, contextWindow.value) },
    images: fact([set.images, server.images, listed?.images, known?.images], false),
    tools,
    toolCalling: toolCallingFact(toolCallingSetting(connection, ref.model), { tools, learned }),
    ...(editTool ? { editTool } : {}),
    reasoning,
    ...(reasoning.value && efforts.value.length > 0 ? { efforts } : {}),
    ...(price ? { price } : {}),
    local: connection.isLocal,
    ...(server.warning ? { warning: server.warning } : {}),
  };
}

/** What was known of a model, with what was found out by using it. */
export function withLearned(
  info: ModelInfo,
  { connection, learned }: { connection: Connection; learned: Capability | undefined },
): ModelInfo {
  const setting = toolCallingSetting(connection, info.ref.model);
  return { ...info, toolCalling: toolCallingFact(setting, { tools: info.tools, learned }) };
}

/** What the person has set for this model, or for all of its provider. */
export function toolCallingSetting(connection: Connection, model: string): Connection['toolCalling'] {
  return connection.models[model]?.tool_calling ?? connection.toolCalling;
}

function toolCallingFact(
  setting: Connection['toolCalling'],
  { tools, learned }: { tools: Fact<boolean>; learned: Capability | undefined },
): Fact<ToolCalling> {
  if (setting !== 'auto') {
    const isOff = setting === 'native' && tools.origin === 'config' && !tools.value;
    return { value: isOff ? 'none' : setting, origin: 'config' };
  }
  if (learned?.toolCalling) return { value: learned.toolCalling, origin: 'server' };
  return { value: tools.value ? 'native' : 'text', origin: tools.origin };
}

/** What a test showed counts where the server says nothing. */
function testedFacts(card: CapabilityCard | undefined): ServerFacts {
  if (!card || card.failure !== undefined) return {};
  const { images, longPrompt } = card;
  const isCut = longPrompt.outcome === 'cut' && longPrompt.counted !== null;
  return {
    ...(images === 'unknown' ? {} : { images: images === 'works' }),
    ...(isCut && longPrompt.counted !== null ? { contextWindow: longPrompt.counted } : {}),
    ...(isCut
      ? {
          warning: `its server cuts long prompts without a word, at about ${formatCount(longPrompt.counted ?? 0)} tokens`,
        }
      : {}),
  };
}

/** Where the values that a fact is chosen from come from, strongest first. */
const sources = ['config', 'server', 'list', 'catalogue'] as const;
/** One value for each source; undefined where it says nothing. */
type Told<T> = readonly [T | undefined, T | undefined, T | undefined, T | undefined];

function fact<T>(told: Told<T>, otherwise: T): Fact<T> {
  return strongest(told) ?? { value: otherwise, origin: 'default' };
}

function strongest<T>(told: Told<T>): Fact<T> | undefined {
  for (const [index, origin] of sources.entries()) {
    const value = told[index];
    if (value !== undefined) return { value, origin };
  }
  return undefined;
}

/** Settings may change single prices of a model; those that they leave out stay what they are. */
function priceOf(set: ModelSettings['price'], told: Told<Price>): Fact<Price> | undefined {
  const below = strongest(told);
  if (!set) return below;
  const { input = below?.value.input, output = below?.value.output, cache_read, cache_write } = set;
  if (input === undefined || output === undefined) return undefined;
  // Another input price makes the old cache prices wrong.
  const kept = set.input === undefined ? below?.value : undefined;
  const cacheRead = cache_read ?? kept?.cacheRead;
  const cacheWrite = cache_write ?? kept?.cacheWrite;
  const cache = {
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return { value: { input, output, ...cache }, origin: 'config' };
}

function pairPrice(pair: readonly [number, number] | undefined): Price | undefined {
  return pair && { input: pair[0], output: pair[1] };
}
