import type { FinishReason } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';
import type { WireDialect } from './dialect.ts';
import type { WireFacts } from './facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from './json.ts';

/** The Messages API of Anthropic and of those who offer it too. */
export const anthropicDialect: WireDialect = {
  read,
  piece: (event) => {
    const delta = event['type'] === 'content_block_delta' ? asObject(event['delta']) : undefined;
    const text = asText(delta?.['type'] === 'text_delta' ? delta['text'] : delta?.['thinking']);
    return text === undefined ? undefined : { key: `${delta?.['type']} ${event['index']}`, text };
  },
  withPiece: (event, text) => {
    const delta = asObject(event['delta']) ?? {};
    return { ...event, delta: { ...delta, [delta['type'] === 'text_delta' ? 'text' : 'thinking']: text } };
  },
  fromDocument,
  isComplete: (facts) => facts.isClosed,
  finishReason,
  usage,
};

function read(event: JsonObject, facts: WireFacts): readonly JsonObject[] {
  switch (event['type']) {
    case 'message_start': {
      const message = asObject(event['message']);
      if (isSplice(message, facts)) {
        facts.error = { status: undefined, body: JSON.stringify(spliced) };
        return [];
      }
      noteUsage(asObject(message?.['usage']), facts);
      noteFinish(message, facts);
      return [event];
    }
    case 'content_block_start':
      if (asObject(event['content_block'])?.['type'] === 'compaction') facts.hiddenBlocks.add(event['index']);
      return facts.hiddenBlocks.has(event['index']) ? [] : [event];
    case 'content_block_delta':
    case 'content_block_stop':
      return facts.hiddenBlocks.has(event['index']) ? [] : [event];
    case 'message_delta':
      noteUsage(asObject(event['usage']), facts);
      noteFinish(asObject(event['delta']), facts);
      return [event];
    case 'message_stop':
      facts.isClosed = true;
      return [event];
    case 'error':
      facts.error = { status: undefined, body: JSON.stringify(event) };
      return [];
    case undefined:
      if (event['error'] === undefined) return [event];
      facts.error = { status: undefined, body: JSON.stringify(event) };
      return [];
    default:
      return [event];
  }
}

const spliced = {
  error: { type: 'api_error', message: 'a second message began in the middle of the first' },
};

/** A gateway that asked its upstream again and sends the second answer into the same stream: neither is whole. */
function isSplice(message: JsonObject | undefined, facts: WireFacts): boolean {
  const id = asText(message?.['id']) ?? null;
  const isSecond = facts.messageId !== null && facts.messageId !== id && !facts.isClosed;
  facts.messageId = id;
  return isSecond;
}

function noteUsage(reported: JsonObject | undefined, facts: WireFacts): void {
  if (!reported) return;
  const known = Object.entries(reported).filter(([, value]) => value !== null);
  facts.usage = { ...facts.usage, ...Object.fromEntries(known) };
}

function noteFinish(holder: JsonObject | undefined, facts: WireFacts): void {
  const reason = asText(holder?.['stop_reason']);
  if (reason) facts.finish = reason;
}

function fromDocument(document: JsonObject): readonly JsonObject[] {
  const { content, usage: reported, stop_reason, stop_sequence = null, ...message } = document;
  const blocks = (asArray(content) ?? []).flatMap((value, index) => {
    const block = asObject(value);
    return block ? blockEvents(block, index) : [];
  });
  const counts = asObject(reported) ?? {};
  return [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: counts },
    },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: stop_reason ?? null, stop_sequence }, usage: counts },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const start = (content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
  const delta = (change: JsonObject) => ({ type: 'content_block_delta', index, delta: change });
  const stop = { type: 'content_block_stop', index };
  switch (block['type']) {
    case 'text':
      return [start({ ...block, text: '' }), delta({ type: 'text_delta', text: block['text'] ?? '' }), stop];
    case 'thinking':
      return [
        start({ ...block, thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking: block['thinking'] ?? '' }),
        delta({ type: 'signature_delta', signature: block['signature'] ?? '' }),
        stop,
      ];
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input'] ?? {}) }),
        stop,
      ];
    case 'redacted_thinking':
      return [start(block), stop];
    default:
      return []; // Server-side blocks (compaction, searches) are no part of the answer.
  }
}

function finishReason(facts: WireFacts, hasCalls: boolean): FinishReason {
  switch (facts.finish) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content-filter';
    case 'pause_turn':
    case 'compaction':
      return 'other';
    default:
      return hasCalls ? 'tool-calls' : 'stop';
  }
}

/** Cache reads and writes stand beside `input_tokens` here; ours holds them all. */
function usage({ usage: reported }: WireFacts): Usage | null {
  if (!reported) return null;
  const fresh = asCount(reported['input_tokens']);
  const cacheRead = asCount(reported['cache_read_input_tokens']);
  const cacheWrite = asCount(reported['cache_creation_input_tokens']);
  return {
    input: fresh === null ? null : fresh + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: asCount(reported['output_tokens']),
    cacheRead,
    cacheWrite,
    reasoning: asCount(asObject(reported['output_tokens_details'])?.['thinking_tokens']),
  };
}
