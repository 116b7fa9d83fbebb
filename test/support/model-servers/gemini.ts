import { refuseGemini } from './gemini-rules.ts';
import {
  type AnswerStep,
  type ApiServer,
  type Frame,
  type FrameContext,
  finishOf,
  geminiCallText,
  isControl,
  piecesOf,
  signatureOf,
  usageOf,
  wholeOf,
} from './script.ts';

const finishReasons = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
} as const;

/** The Gemini API. Calls are signed as Gemini 3 signs them: the first one of a step. */
export const geminiServer: ApiServer = {
  basePath: '/v1beta',
  isModelCall: (method, path) =>
    method === 'POST' && /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path),
  refuse: refuseGemini,
  frames,
  errorBody: (status, message) =>
    JSON.stringify({ error: { code: status, message, status: errorStatus(status) } }),
  modelList: (ids) => ({ models: ids.map((id) => ({ name: `models/${id}`, displayName: id })) }),
};

function errorStatus(status: number): string {
  const names: Readonly<Record<number, string>> = {
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    503: 'UNAVAILABLE',
  };
  return names[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

function frames(step: AnswerStep, context: FrameContext): Frame[] {
  const { input, output, cacheRead, reasoning } = usageOf(step);
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: input + output,
    ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
  };
  const responseId = `r${context.nextId()}`;
  const frame = (part: object | undefined, finishReason?: string) => {
    const content = part ? { parts: [part], role: 'model' } : { role: 'model' };
    const candidate = { content, index: 0, ...(finishReason ? { finishReason } : {}) };
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'test', responseId })}\r\n\r\n`;
  };
  const result: Frame[] = [];
  let isFirstCall = true;
  for (const part of step.parts) {
    if (isControl(part)) result.push(part);
    else if ('text' in part) for (const text of piecesOf(part.text)) result.push(frame({ text }));
    else if ('reasoning' in part) {
      for (const text of piecesOf(part.reasoning)) result.push(frame({ text, thought: true }));
      if (typeof part.signature === 'string') {
        context.issue(part.signature);
        result.push(frame({ text: '', thoughtSignature: part.signature }));
      }
    } else if ('call' in part) {
      const args = part.input ?? {};
      const functionCall = { name: part.call, args, ...(part.id ? { id: part.id } : {}) };
      const signed = isFirstCall
        ? { thoughtSignature: signatureOf('gemini', geminiCallText(part.call, args)) }
        : {};
      isFirstCall = false;
      result.push(frame({ functionCall, ...signed }));
    } else if ('error' in part) {
      const { status, message, type } = part.error;
      const error = { code: status, message, status: type ?? errorStatus(status) };
      result.push(`data: ${JSON.stringify({ error })}\r\n\r\n`);
    } else result.push(part.raw);
  }
  const lastText = step.parts.findLast((part) => 'text' in part);
  const hasCalls = step.parts.some((part) => 'call' in part);
  const signature =
    lastText && 'text' in lastText && !hasCalls ? signatureOf('gemini', wholeOf(lastText.text)) : undefined;
  if (signature) context.issue(signature);
  result.push(
    frame({ text: '', ...(signature ? { thoughtSignature: signature } : {}) }, finishReasons[finishOf(step)]),
  );
  return result;
}
