import type { JsonValue } from '#protocol/json.ts';
import type { FinishReason } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';
import type { Piece, WireDialect } from './dialect.ts';
import type { WireFacts } from './facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from './json.ts';
import { noteReasoningDetails, reasoningFromDetails } from './reasoning-details.ts';

/** Chat Completions, as OpenAI and the many that imitate it send them. */
export const openaiChatDialect: WireDialect = {
  read,
  piece,
  withPiece: (event, text) => {
    const choice = asObject(asArray(event['choices'])?.[0]) ?? {};
    const delta = asObject(choice['delta']) ?? {};
    const field = 'content' in delta ? 'content' : 'reasoning_content';
    return { ...event, choices: [{ ...choice, delta: { ...delta, [field]: text } }] };
  },
  atDone: finishWhereNoneCame,
  fromDocument,
  // A gateway may leave out the finish reason or the closing mark, never both.
  isComplete: (facts) => facts.isClosed || facts.finish !== null,
  finishReason,
  usage,
  endsCallsAtClose: true,
};

function read(event: JsonObject, facts: WireFacts): readonly JsonObject[] {
  const error = errorIn(event);
  if (error) {
    facts.error = error;
    return [];
  }
  noteUsage(event, facts);
  const choices = asArray(event['choices']);
  if (!choices) return [];
  const choice = asObject(choices[0]);
  if (!choice) return [event];
  const finish = asText(choice['finish_reason']);
  if (finish) facts.finish = finish;
  const delta = asObject(choice['delta']);
  if (!delta) return [event];
  noteReasoning(delta, facts);
  const mended = mendDelta(delta);
  return mended === delta ? [event] : [{ ...event, choices: [{ ...choice, delta: mended }] }];
}

const plainEventKeys = ['id', 'object', 'created', 'model', 'choices', 'system_fingerprint', 'service_tier'];
const plainChoiceKeys = ['index', 'delta', 'finish_reason', 'logprobs'];

/** A chunk that holds text or reasoning and nothing else. */
function piece(event: JsonObject): Piece | undefined {
  const choices = event['choices'];
  if (!Array.isArray(choices) || choices.length !== 1 || !hasOnly(event, plainEventKeys)) return undefined;
  const choice = asObject(choices[0]);
  const delta = asObject(choice?.['delta']);
  if (!choice || !delta || !hasOnly(choice, plainChoiceKeys)) return undefined;
  const keys = Object.keys(delta);
  const [key] = keys;
  if (keys.length !== 1 || (key !== 'content' && key !== 'reasoning_content')) return undefined;
  const text = delta[key];
  return typeof text === 'string' ? { key, text } : undefined;
}

/** Other keys may stay, as long as they say nothing. */
function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  for (const key in object) {
    if (object[key] === null || keys.includes(key)) continue;
    return false;
  }
  const finish = object['finish_reason'];
  return finish === undefined || finish === null;
}

/** Each mend returns the same object when there is nothing to do. */
function mendDelta(delta: JsonObject): JsonObject {
  return [reasoningFromDetails, reasoningTextField, toolCallsAsList, argumentsAsText].reduce(
    (mended, mend) => mend(mended),
    delta,
  );
}

/** An error object in place of a chunk, in any of its shapes. */
function errorIn(event: JsonObject): WireFacts['error'] {
  const error = event['error'];
  const isError = (error !== undefined && error !== null) || event['object'] === 'error';
  if (!isError) return null;
  const details = asObject(error);
  const status = asCount(details?.['status_code']) ?? asCount(details?.['code']) ?? asCount(event['code']);
  return { status: status !== null && status >= 400 ? status : undefined, body: JSON.stringify(event) };
}

/** Gateways (Snowflake, TGI) that close the stream but never say why; the SDK would call that an error. */
function finishWhereNoneCame(facts: WireFacts): readonly JsonObject[] {
  if (facts.finish !== null || facts.error || facts.unreadable > 0) return [];
  return [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }];
}

/** The last value of each field counts; Groq keeps a copy of its own. */
function noteUsage(event: JsonObject, facts: WireFacts): void {
  const reported = asObject(event['usage']) ?? asObject(asObject(event['x_groq'])?.['usage']);
  if (reported) facts.usage = { ...facts.usage, ...reported };
}

function noteReasoning(delta: JsonObject, facts: WireFacts): void {
  for (const field of ['reasoning_content', 'reasoning', 'reasoning_text']) {
    if (typeof delta[field] === 'string' && delta[field] !== '') facts.reasoningField ??= field;
  }
  noteReasoningDetails(delta, facts);
}

/** GitHub Copilot's name for reasoning. */
function reasoningTextField(delta: JsonObject): JsonObject {
  const text = asText(delta['reasoning_text']);
  return text && !delta['reasoning_content'] ? { ...delta, reasoning_content: text } : delta;
}

/** Text Generation Inference sends one call as an object where a list belongs. */
function toolCallsAsList(delta: JsonObject): JsonObject {
  const call = asObject(delta['tool_calls']);
  return call ? { ...delta, tool_calls: [call] } : delta;
}

/** Arguments as a JSON object where their text belongs. */
function argumentsAsText(delta: JsonObject): JsonObject {
  const calls = asArray(delta['tool_calls']);
  if (!calls) return delta;
  let isChanged = false;
  const mended = calls.map((call): JsonValue => {
    const fields = asObject(call);
    const called = asObject(fields?.['function']);
    const value = called?.['arguments'];
    if (!fields || !called || typeof value !== 'object' || value === null) return call;
    isChanged = true;
    return { ...fields, function: { ...called, arguments: JSON.stringify(value) } };
  });
  return isChanged ? { ...delta, tool_calls: mended } : delta;
}

function fromDocument(document: JsonObject): readonly JsonObject[] {
  const choice = asObject(asArray(document['choices'])?.[0]);
  if (!choice) return [document];
  const { message, ...rest } = choice;
  const fields = asObject(message) ?? {};
  const calls = asArray(toolCallsAsList(fields)['tool_calls']);
  const delta: JsonObject = { ...fields };
  if (calls) delta['tool_calls'] = calls.map((call, index) => ({ index, ...asObject(call) }));
  return [{ ...document, choices: [{ index: 0, ...rest, delta }] }];
}

function finishReason(facts: WireFacts, hasCalls: boolean): FinishReason {
  switch (facts.finish) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
    case 'sensitive':
    case 'refusal':
      return 'content-filter';
    case 'error':
    case 'network_error':
      return 'error';
    default:
      return hasCalls ? 'tool-calls' : 'stop';
  }
}

function usage({ usage: reported }: WireFacts): Usage | null {
  if (!reported) return null;
  const input = asCount(reported['prompt_tokens']);
  const completion = asCount(reported['completion_tokens']);
  const total = asCount(reported['total_tokens']);
  const inputDetails = asObject(reported['prompt_tokens_details']);
  const outputDetails = asObject(reported['completion_tokens_details']);
  const reasoning = asCount(outputDetails?.['reasoning_tokens']) ?? asCount(reported['reasoning_tokens']);
  return {
    input,
    output: withReasoning({ input, completion, reasoning, total }),
    cacheRead:
      asCount(inputDetails?.['cached_tokens']) ??
      asCount(reported['prompt_cache_hit_tokens']) ??
      asCount(reported['cached_tokens']),
    cacheWrite:
      asCount(inputDetails?.['cache_write_tokens']) ?? asCount(inputDetails?.['cache_creation_tokens']),
    reasoning,
  };
}

/** Some (xAI) leave reasoning out of the completion; the total gives it away. */
function withReasoning(counts: {
  input: number | null;
  completion: number | null;
  reasoning: number | null;
  total: number | null;
}): number | null {
  const { input, completion, reasoning, total } = counts;
  if (completion === null || input === null || reasoning === null || total === null) return completion;
  return reasoning > 0 && total === input + completion + reasoning ? completion + reasoning : completion;
}
