import { refuseOpenaiChat } from './openai-chat-rules.ts';
import {
  type AnswerStep,
  type ApiServer,
  argumentsOf,
  type Frame,
  type FrameContext,
  finishOf,
  isControl,
  piecesOf,
  sse,
  usageOf,
} from './script.ts';

const finishReasons = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
} as const;

/** The Chat Completions API, as OpenAI and the stricter of its imitators run it. */
export const openaiChatServer: ApiServer = {
  basePath: '/v1',
  isModelCall: (method, path) => method === 'POST' && path === '/v1/chat/completions',
  refuse: refuseOpenaiChat,
  frames,
  errorBody: (status, message) =>
    JSON.stringify({ error: { message, type: errorType(status), param: null, code: null } }),
  modelList: (ids) => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', owned_by: 'test' })),
  }),
};

function errorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function frames(step: AnswerStep, context: FrameContext): Frame[] {
  const id = `chatcmpl-${context.nextId()}`;
  const chunk = (delta: object, finish: string | null = null) =>
    sse({
      id,
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: context.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const result: Frame[] = [chunk({ role: 'assistant', content: '' })];
  let callIndex = 0;
  for (const part of step.parts) {
    if (isControl(part)) result.push(part);
    else if ('text' in part) for (const content of piecesOf(part.text)) result.push(chunk({ content }));
    else if ('reasoning' in part) {
      for (const piece of piecesOf(part.reasoning)) result.push(chunk({ reasoning_content: piece }));
    } else if ('call' in part) {
      const index = callIndex;
      callIndex += 1;
      const callId = part.id ?? `call_${context.nextId()}`;
      const start = { index, id: callId, type: 'function', function: { name: part.call, arguments: '' } };
      result.push(chunk({ tool_calls: [start] }));
      for (const piece of piecesOf(argumentsOf(part))) {
        result.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
      }
    } else if ('error' in part) {
      const { status, message, type } = part.error;
      result.push(sse({ error: { message, type: type ?? errorType(status), code: status } }));
    } else result.push(part.raw);
  }
  result.push(chunk({}, finishReasons[finishOf(step)]));
  if (step.usage !== false) {
    const { input, output, cacheRead, reasoning } = usageOf(step);
    result.push(
      sse({
        id,
        object: 'chat.completion.chunk',
        created: 1_760_000_000,
        model: context.model,
        choices: [],
        usage: {
          prompt_tokens: input,
          completion_tokens: output,
          total_tokens: input + output,
          ...(cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
          ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
        },
      }),
    );
  }
  result.push(sse('[DONE]'));
  return result;
}
