import type { JsonValue } from '#protocol/json.ts';
import type { Price } from '#protocol/model-ref.ts';
import type { ServerFacts } from '../model-facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from '../wire/json.ts';

/** What an entry of `GET /models` says, in the words of vLLM, LM Studio, llama.cpp, OpenRouter and other gateways. */
export function listedFacts(entry: JsonObject): ServerFacts {
  const meta = asObject(entry['meta']);
  const window =
    tokens(entry['max_model_len']) ??
    tokens(entry['context_length']) ??
    tokens(entry['context_window']) ??
    tokens(entry['max_context_length']) ??
    tokens(meta?.['n_ctx']) ??
    tokens(meta?.['n_ctx_train']);
  const output =
    tokens(asObject(entry['top_provider'])?.['max_completion_tokens']) ??
    tokens(entry['max_completion_tokens']);
  const inputs = asArray(asObject(entry['architecture'])?.['input_modalities']);
  const parameters = asArray(entry['supported_parameters']);
  const price = priceOf(asObject(entry['pricing']));
  return {
    ...(window ? { contextWindow: window } : {}),
    ...(output ? { outputLimit: output } : {}),
    ...(inputs ? { images: inputs.includes('image') } : {}),
    ...(parameters
      ? { tools: parameters.includes('tools'), reasoning: parameters.includes('reasoning') }
      : {}),
    ...(price ? { price } : {}),
  };
}

/** A count that says something: servers write 0 for what they do not know. */
export function tokens(value: JsonValue | undefined): number | undefined {
  const count = asCount(value);
  return count !== null && count > 0 ? count : undefined;
}

/** Texts of dollars for one token; below zero means that it varies. */
function priceOf(pricing: JsonObject | undefined): Price | undefined {
  const dollars = (key: string) => {
    const text = asText(pricing?.[key]);
    const value = text === undefined ? Number.NaN : Number(text) * 1_000_000;
    // Rounded, since a millionth has no exact form in binary.
    return value >= 0 ? Number(value.toPrecision(12)) : undefined;
  };
  const input = dollars('prompt');
  const output = dollars('completion');
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = dollars('input_cache_read');
  const cacheWrite = dollars('input_cache_write');
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
