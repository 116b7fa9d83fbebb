import type { FinishReason } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';
import type { WireDialect } from './dialect.ts';
import type { WireFacts } from './facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from './json.ts';

/** The Responses API of OpenAI and of those who offer it too. */
export const openaiResponsesDialect: WireDialect = {
  read,
  piece: (event) => {
    const type = asText(event['type']) ?? '';
    if (!plainDeltas.includes(type)) return undefined;
    const text = asText(event['delta']);
    const place = event['content_index'] ?? event['summary_index'];
    return text === undefined ? undefined : { key: `${type} ${event['item_id']} ${place}`, text };
  },
  withPiece: (event, text) => ({ ...event, delta: text }),
  fromDocument,
  isComplete: (facts) => facts.finish !== null,
  finishReason,
  usage,
};

const plainDeltas = ['response.output_text.delta', 'response.reasoning_summary_text.delta'];

function read(event: JsonObject, facts: WireFacts): readonly JsonObject[] {
  switch (event['type']) {
    case 'response.completed':
    case 'response.incomplete': {
      const response = asObject(event['response']);
      const reported = asObject(response?.['usage']);
      if (reported) facts.usage = reported;
      facts.finish =
        asText(asObject(response?.['incomplete_details'])?.['reason']) ??
        asText(response?.['status']) ??
        'completed';
      return [event];
    }
    case 'response.failed': {
      const response = asObject(event['response']);
      facts.error = { status: undefined, body: JSON.stringify({ error: response?.['error'] ?? null }) };
      return [];
    }
    case 'error':
      facts.error = { status: undefined, body: JSON.stringify(errorOf(event)) };
      return [];
    case 'response.reasoning_text.delta':
      return [rawReasoningAsSummary(event)];
    default:
      if (event['type'] === undefined && event['error'] !== undefined) {
        facts.error = { status: undefined, body: JSON.stringify(event) };
        return [];
      }
      return [event];
  }
}

/** The fields of an `error` event stand at its top or in an `error` object. */
function errorOf(event: JsonObject): JsonObject {
  return asObject(event['error']) ? event : { error: event };
}

/** Open models show their reasoning raw, in events that the SDK passes over. */
function rawReasoningAsSummary(event: JsonObject): JsonObject {
  const { content_index, ...rest } = event;
  return { ...rest, type: 'response.reasoning_summary_text.delta', summary_index: content_index ?? 0 };
}

function fromDocument(document: JsonObject): readonly JsonObject[] {
  const items = asArray(document['output']) ?? [];
  const events = items.flatMap((value, output_index) => {
    const item = asObject(value);
    return item ? itemEvents(item, output_index) : [];
  });
  const isWhole = document['status'] !== 'incomplete';
  return [
    { type: 'response.created', response: document },
    ...events,
    { type: isWhole ? 'response.completed' : 'response.incomplete', response: document },
  ];
}

function itemEvents(item: JsonObject, output_index: number): JsonObject[] {
  const added = (fields: JsonObject) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...fields },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  const item_id = item['id'] ?? '';
  switch (item['type']) {
    case 'message': {
      const texts = (asArray(item['content']) ?? []).map((part) => asText(asObject(part)?.['text']) ?? '');
      const deltas = texts.map((delta, content_index) => ({
        type: 'response.output_text.delta',
        item_id,
        output_index,
        content_index,
        delta,
      }));
      return [added({ content: [] }), ...deltas, done];
    }
    case 'function_call':
      return [added({ arguments: '' }), done];
    case 'reasoning': {
      const texts = (asArray(item['summary']) ?? []).map((part) => asText(asObject(part)?.['text']) ?? '');
      const deltas = texts.map((delta, summary_index) => ({
        type: 'response.reasoning_summary_text.delta',
        item_id,
        output_index,
        summary_index,
        delta,
      }));
      return [added({ summary: [] }), ...deltas, done];
    }
    default:
      return [];
  }
}

function finishReason(facts: WireFacts, hasCalls: boolean): FinishReason {
  switch (facts.finish) {
    case 'max_output_tokens':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    case 'incomplete':
    case 'cancelled':
      return 'other';
    default:
      return hasCalls ? 'tool-calls' : 'stop';
  }
}

function usage({ usage: reported }: WireFacts): Usage | null {
  if (!reported) return null;
  const inputDetails = asObject(reported['input_tokens_details']);
  const outputDetails = asObject(reported['output_tokens_details']);
  return {
    input: asCount(reported['input_tokens']),
    output: asCount(reported['output_tokens']),
    cacheRead: asCount(inputDetails?.['cached_tokens']),
    cacheWrite: asCount(inputDetails?.['cache_write_tokens']),
    reasoning: asCount(outputDetails?.['reasoning_tokens']),
  };
}
