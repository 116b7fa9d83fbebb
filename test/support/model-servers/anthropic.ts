import { refuseAnthropic } from './anthropic-rules.ts';
import {
  type AnswerStep,
  type ApiServer,
  argumentsOf,
  type Frame,
  type FrameContext,
  finishOf,
  isControl,
  piecesOf,
  signatureOf,
  sse,
  usageOf,
  wholeOf,
} from './script.ts';

const stopReasons = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
} as const;

/** The Messages API of Anthropic. */
export const anthropicServer: ApiServer = {
  basePath: '/v1',
  isModelCall: (method, path) => method === 'POST' && path.split('?')[0] === '/v1/messages',
  refuse: refuseAnthropic,
  frames,
  errorBody: (status, message) =>
    JSON.stringify({ type: 'error', error: { type: errorType(status), message } }),
  modelList: (ids) => ({ data: ids.map((id) => ({ type: 'model', id, display_name: id })), has_more: false }),
};

function errorType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    500: 'api_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'invalid_request_error';
}

function frames(step: AnswerStep, context: FrameContext): Frame[] {
  const { input, output, cacheRead } = usageOf(step);
  const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type);
  const usage = {
    input_tokens: input - (cacheRead ?? 0),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cacheRead ?? 0,
    output_tokens: 1,
  };
  const message = {
    id: `msg_${context.nextId()}`,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const result: Frame[] = [event('message_start', { message }), event('ping')];
  let index = 0;
  const block = (content: object, deltas: readonly object[]) => {
    result.push(event('content_block_start', { index, content_block: content }));
    for (const delta of deltas) result.push(event('content_block_delta', { index, delta }));
    result.push(event('content_block_stop', { index }));
    index += 1;
  };
  for (const part of step.parts) {
    if (isControl(part)) result.push(part);
    else if ('text' in part) {
      block(
        { type: 'text', text: '' },
        piecesOf(part.text).map((text) => ({ type: 'text_delta', text })),
      );
    } else if ('reasoning' in part) {
      const whole = wholeOf(part.reasoning);
      if (part.redacted) {
        const data = signatureOf('anthropic', `redacted\n${whole}`);
        context.issue(data);
        block({ type: 'redacted_thinking', data }, []);
        continue;
      }
      const signature = part.signature ?? signatureOf('anthropic', whole);
      if (signature !== false) context.issue(signature);
      const thinking = piecesOf(part.reasoning).map((text) => ({ type: 'thinking_delta', thinking: text }));
      const signed = signature === false ? [] : [{ type: 'signature_delta', signature }];
      block({ type: 'thinking', thinking: '', signature: '' }, [...thinking, ...signed]);
    } else if ('call' in part) {
      const id = part.id ?? `toolu_${context.nextId()}`;
      block(
        { type: 'tool_use', id, name: part.call, input: {} },
        piecesOf(argumentsOf(part)).map((text) => ({ type: 'input_json_delta', partial_json: text })),
      );
    } else if ('error' in part) {
      const { status, message: text, type } = part.error;
      result.push(event('error', { error: { type: type ?? errorType(status), message: text } }));
    } else result.push(part.raw);
  }
  const delta = { stop_reason: stopReasons[finishOf(step)], stop_sequence: null };
  result.push(event('message_delta', { delta, usage: { output_tokens: output } }), event('message_stop'));
  return result;
}
