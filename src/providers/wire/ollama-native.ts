import type { JsonValue } from '#protocol/json.ts';
import type { WireDialect } from './dialect.ts';
import type { WireFacts } from './facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject, parseJson } from './json.ts';
import { openaiChatDialect } from './openai-chat.ts';
import type { WireRequest } from './wire.ts';

/** Ollama's own chat API, one JSON object a line, shown to the SDK as Chat Completions. */
export const ollamaNativeDialect: WireDialect = {
  ...openaiChatDialect,
  read: (event, facts) => {
    if (event['error'] !== undefined) return openaiChatDialect.read(event, facts);
    return openaiChatDialect.read(chunkOf(event, facts), facts);
  },
  fromDocument: (document) => [document],
  isLineDelimited: true,
};

function chunkOf(event: JsonObject, facts: WireFacts): JsonObject {
  const message = asObject(event['message']) ?? {};
  const delta: JsonObject = {};
  const text = asText(message['content']);
  const thinking = asText(message['thinking']);
  if (text) delta['content'] = text;
  if (thinking) delta['reasoning_content'] = thinking;
  const calls = asArray(message['tool_calls']);
  if (calls) delta['tool_calls'] = calls.map((call) => callOf(call, facts));
  const isDone = event['done'] === true;
  const finish = isDone ? (asText(event['done_reason']) ?? 'stop') : null;
  return {
    id: 'ollama',
    object: 'chat.completion.chunk',
    created: 0,
    model: event['model'] ?? '',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(isDone ? { usage: usageOf(event) } : {}),
  };
}

function callOf(call: JsonValue, facts: WireFacts): JsonObject {
  const fields = asObject(call) ?? {};
  const called = asObject(fields['function']) ?? {};
  const index = facts.calls;
  facts.calls += 1;
  return {
    index,
    id: asText(fields['id']) ?? `call_${index}`,
    type: 'function',
    function: { name: called['name'] ?? '', arguments: called['arguments'] ?? {} },
  };
}

function usageOf(event: JsonObject): JsonObject {
  const input = asCount(event['prompt_eval_count']);
  const output = asCount(event['eval_count']);
  return { prompt_tokens: input, completion_tokens: output };
}

/** A Chat Completions request as the native API wants it, with the context size that only this one takes. */
export function nativeRequest(
  request: WireRequest,
  { url, numCtx }: { url: string; numCtx: number },
): WireRequest {
  const body = asObject(parseJson(request.body)) ?? {};
  const names = new Map<string, string>();
  const messages = (asArray(body['messages']) ?? []).map((message) =>
    nativeMessage(asObject(message) ?? {}, names),
  );
  const limit = asCount(body['max_tokens']);
  const effort = asText(body['reasoning_effort']);
  const native: JsonObject = {
    model: body['model'] ?? '',
    messages,
    stream: true,
    options: { num_ctx: numCtx, ...(limit === null ? {} : { num_predict: limit }) },
    ...(body['tools'] ? { tools: body['tools'] } : {}),
    ...(effort ? { think: effort !== 'none' } : {}),
  };
  return { url, body: JSON.stringify(native) };
}

function nativeMessage(message: JsonObject, names: Map<string, string>): JsonObject {
  const { content, images } = nativeContent(message['content']);
  const calls = (asArray(message['tool_calls']) ?? []).map((call) => nativeCall(call, names));
  const thinking = asText(message['reasoning_content']);
  const name = names.get(asText(message['tool_call_id']) ?? '');
  return {
    role: message['role'] ?? 'user',
    content,
    ...(images.length > 0 ? { images } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(thinking ? { thinking } : {}),
    ...(name ? { tool_name: name } : {}),
  };
}

function nativeContent(content: JsonValue | undefined): { content: string; images: string[] } {
  const parts = asArray(content);
  if (!parts) return { content: asText(content) ?? '', images: [] };
  const texts = parts.flatMap((part) => asText(asObject(part)?.['text']) ?? []);
  const images = parts.flatMap((part) => {
    const url = asText(asObject(asObject(part)?.['image_url'])?.['url']);
    return url ? [url.replace(/^data:[^,]*,/, '')] : [];
  });
  return { content: texts.join('\n\n'), images };
}

function nativeCall(call: JsonValue, names: Map<string, string>): JsonObject {
  const fields = asObject(call) ?? {};
  const called = asObject(fields['function']) ?? {};
  const name = asText(called['name']) ?? '';
  names.set(asText(fields['id']) ?? '', name);
  return { function: { name, arguments: asObject(parseJson(asText(called['arguments']) ?? '{}')) ?? {} } };
}
