import { refuseOpenaiResponses } from './openai-responses-rules.ts';
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

/** The Responses API of OpenAI, used without server-side storage. */
export const openaiResponsesServer: ApiServer = {
  basePath: '/v1',
  isModelCall: (method, path) => method === 'POST' && path === '/v1/responses',
  refuse: refuseOpenaiResponses,
  frames,
  errorBody: (status, message) =>
    JSON.stringify({ error: { message, type: errorType(status), param: null, code: null } }),
  modelList: (ids) => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', owned_by: 'test' })),
  }),
};

function errorType(status: number): string {
  if (status === 429) return 'rate_limit_exceeded';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function frames(step: AnswerStep, context: FrameContext): Frame[] {
  let sequence = 0;
  const event = (type: string, fields: object) => {
    const frame = sse({ type, sequence_number: sequence, ...fields }, type);
    sequence += 1;
    return frame;
  };
  const response = {
    id: `resp_${context.nextId()}`,
    object: 'response',
    created_at: 1_760_000_000,
    model: context.model,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [] as object[],
    store: false,
    usage: null as object | null,
  };
  const result: Frame[] = [
    event('response.created', { response }),
    event('response.in_progress', { response }),
  ];
  let output_index = 0;
  const finishItem = (item: object) => {
    result.push(event('response.output_item.done', { output_index, item }));
    response.output.push(item);
    output_index += 1;
  };
  for (const part of step.parts) {
    if (isControl(part)) result.push(part);
    else if ('text' in part) {
      const item = {
        id: `msg_${context.nextId()}`,
        type: 'message',
        role: 'assistant',
        status: 'in_progress',
      };
      const at = { item_id: item.id, output_index, content_index: 0 };
      const whole = { type: 'output_text', text: wholeOf(part.text), annotations: [], logprobs: [] };
      result.push(
        event('response.output_item.added', { output_index, item: { ...item, content: [] } }),
        event('response.content_part.added', { ...at, part: { ...whole, text: '' } }),
        ...piecesOf(part.text).map((delta) =>
          event('response.output_text.delta', { ...at, delta, logprobs: [], obfuscation: 'x' }),
        ),
        event('response.output_text.done', { ...at, text: whole.text, logprobs: [] }),
        event('response.content_part.done', { ...at, part: whole }),
      );
      finishItem({ ...item, status: 'completed', content: [whole] });
    } else if ('reasoning' in part) {
      const text = wholeOf(part.reasoning);
      const id = `rs_${context.nextId()}`;
      const encrypted_content = part.signature ?? signatureOf('openai-responses', text);
      if (encrypted_content !== false) context.issue(encrypted_content);
      const secret = encrypted_content === false ? {} : { encrypted_content };
      const at = { item_id: id, output_index, summary_index: 0 };
      result.push(
        event('response.output_item.added', {
          output_index,
          item: { id, type: 'reasoning', ...secret, summary: [] },
        }),
      );
      const summary = text === '' ? [] : [{ type: 'summary_text', text }];
      if (text !== '') {
        result.push(
          event('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }),
          ...piecesOf(part.reasoning).map((delta) =>
            event('response.reasoning_summary_text.delta', { ...at, delta }),
          ),
          event('response.reasoning_summary_text.done', { ...at, text }),
          event('response.reasoning_summary_part.done', { ...at, part: summary[0] }),
        );
      }
      finishItem({ id, type: 'reasoning', ...secret, summary });
    } else if ('call' in part) {
      const id = `fc_${context.nextId()}`;
      const call = {
        id,
        type: 'function_call',
        call_id: part.id ?? `call_${context.nextId()}`,
        name: part.call,
      };
      const at = { item_id: id, output_index };
      const whole = argumentsOf(part);
      result.push(
        event('response.output_item.added', {
          output_index,
          item: { ...call, status: 'in_progress', arguments: '' },
        }),
        ...piecesOf(whole).map((delta) => event('response.function_call_arguments.delta', { ...at, delta })),
        event('response.function_call_arguments.done', { ...at, arguments: whole }),
      );
      finishItem({ ...call, status: 'completed', arguments: whole });
    } else if ('error' in part) {
      const { status, message, type } = part.error;
      result.push(event('error', { code: type ?? errorType(status), message, param: null }));
    } else result.push(part.raw);
  }
  result.push(closing(step, { response, event }));
  return result;
}

function closing(
  step: AnswerStep,
  { response, event }: { response: object; event: (type: string, fields: object) => string },
): Frame {
  const { input, output, cacheRead, reasoning } = usageOf(step);
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output,
  };
  const finish = finishOf(step);
  if (finish === 'stop' || finish === 'tool-calls') {
    return event('response.completed', { response: { ...response, status: 'completed', usage } });
  }
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return event('response.incomplete', {
    response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage },
  });
}
