import type { Fact, FactOrigin, ModelInfo, ModelRef, Price, ProviderFamily } from '#protocol/model-ref.ts';
import { lookUp } from './catalogue/lookup.ts';
import type { Connection } from './connections.ts';
import type { ProviderSettings } from './settings.ts';

/** What a server told of one of its models. */
export type ServerFacts = {
  contextWindow?: number;
  outputLimit?: number;
  images?: boolean;
  tools?: boolean;
  reasoning?: boolean;
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
};

/** All that is known of a model, the strongest source first: settings, server, catalogue, a careful default. */
export function modelInfo({ ref, connection, family, server, pricing }: FactSources): ModelInfo {
  const set = connection.models[ref.model] ?? {};
  const vendor = connection.vendor ?? connection.id;
  const known = lookUp(ref.model, vendor);
  const contextWindow = fact(set.context_window, server.contextWindow, known?.window, defaultWindow);
  const outputLimit = fact(
    set.output_limit,
    server.outputLimit,
    known?.output,
    Math.min(defaultOutput, Math.floor(contextWindow.value / 4)),
  );
  const price = priceOf(ref.model, {
    connection,
    known: known?.vendor === vendor ? known.price : undefined,
    pricing,
  });
  return {
    ref,
    name: set.name ?? known?.name ?? ref.model,
    family,
    contextWindow,
    // An answer must leave room for the question.
    outputLimit: { ...outputLimit, value: Math.min(outputLimit.value, contextWindow.value) },
    images: fact(set.images, server.images, known?.images, false),
    tools: fact(set.tools, server.tools, known ? true : undefined, true),
    reasoning: fact(set.reasoning, server.reasoning, known?.reasoning, false),
    ...(price ? { price } : {}),
    local: connection.isLocal,
  };
}

function fact<T>(
  config: T | undefined,
  server: T | undefined,
  catalogue: T | undefined,
  otherwise: T,
): Fact<T> {
  if (config !== undefined) return { value: config, origin: 'config' };
  if (server !== undefined) return { value: server, origin: 'server' };
  if (catalogue !== undefined) return { value: catalogue, origin: 'catalogue' };
  return { value: otherwise, origin: 'default' };
}

function priceOf(
  model: string,
  {
    connection,
    known,
    pricing,
  }: { connection: Connection; known: Price | undefined; pricing: ProviderSettings['pricing'] },
): Fact<Price> | undefined {
  const set = connection.models[model]?.price;
  const origin: FactOrigin = 'config';
  if (set) {
    const { input, output, cache_read, cache_write } = set;
    const cache = {
      ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
      ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
    };
    return { value: { input, output, ...cache }, origin };
  }
  const pair = pricing[model] ?? pricing['default'];
  if (pair) return { value: { input: pair[0], output: pair[1] }, origin };
  return known ? { value: known, origin: 'catalogue' } : undefined;
}
