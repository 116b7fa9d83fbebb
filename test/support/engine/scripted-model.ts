import type { JsonValue } from '#protocol/json.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient, ModelDirectory, StepPart, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import type { Usage } from '#protocol/usage.ts';

/** What one model call answers: its parts, or a function that makes them from the request. */
export type ScriptStep =
  | readonly StepPart[]
  | ((
      request: StepRequest,
      options: { signal: AbortSignal },
    ) => Iterable<StepPart> | AsyncIterable<StepPart>);

export type ScriptedModel = {
  client: ModelClient;
  directory: ModelDirectory;
  /** Every request, oldest first. */
  requests: StepRequest[];
  /** What was wrong with requests; a test expects it to be empty. */
  problems: string[];
  /** Steps that no request has taken. */
  left(): number;
};

export const testRef: ModelRef = { provider: 'test', model: 'scripted' };

export const testInfo: ModelInfo = {
  ref: testRef,
  name: 'Scripted',
  family: 'demo',
  contextWindow: { value: 100_000, origin: 'config' },
  outputLimit: { value: 8_000, origin: 'config' },
  images: { value: true, origin: 'config' },
  tools: { value: true, origin: 'config' },
  reasoning: { value: true, origin: 'config' },
  local: true,
};

/** A model in memory that answers from a script and checks each request as a strict vendor would. */
export function scriptedModel(steps: readonly ScriptStep[], info: Partial<ModelInfo> = {}): ScriptedModel {
  const requests: StepRequest[] = [];
  const problems: string[] = [];
  const waiting = [...steps];
  const client: ModelClient = {
    info: { ...testInfo, ...info },
    async *stream(request, { signal }) {
      requests.push(request);
      problems.push(...requestProblems(request));
      const step = waiting.shift();
      if (!step) {
        problems.push(`request ${requests.length} has no step in the script`);
        yield { kind: 'error', error: modelError({ message: 'The script has no more steps.' }) };
        return;
      }
      const parts = typeof step === 'function' ? step(request, { signal }) : step;
      for await (const part of parts) {
        if (signal.aborted) return;
        yield part;
        await tick();
      }
    },
  };
  return { client, directory: { open: async () => client }, requests, problems, left: () => waiting.length };
}

/** Rules of the strictest of the four APIs, in the terms of our own messages. */
export function requestProblems({ messages }: StepRequest): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const message of messages) {
    if (message.role === 'notice') problems.push('a notice was sent');
    if (message.parts.length === 0) problems.push(`message ${message.id} is empty`);
    problems.push(...message.parts.flatMap((part) => partProblems(part, { message, seen })));
  }
  if (messages[0]?.role !== 'user') problems.push('the first message is not from the person');
  const last = messages.at(-1);
  const isInput = last?.role === 'user' || last?.parts.some(({ kind }) => kind === 'tool-call');
  if (!isInput) problems.push('the last message is an answer');
  return problems;
}

function partProblems(
  part: Message['parts'][number],
  { message, seen }: { message: Message; seen: Set<string> },
): string[] {
  switch (part.kind) {
    case 'notice':
    case 'consult':
      return [`a ${part.kind} part was sent`];
    case 'text':
      return part.text.trim() === '' ? ['a text part is blank'] : [];
    case 'reasoning':
      return [];
    case 'image':
      return part.source.kind === 'file' ? ['an image is not inline'] : [];
    case 'tool-call': {
      const problems: string[] = [];
      if (message.role !== 'assistant') problems.push('a call stands in a message of the person');
      if (!part.result) problems.push(`call ${part.callId} has no result`);
      if (part.rawInput === '') problems.push(`call ${part.callId} is half a call`);
      for (const id of [part.callId, part.vendorCallId]) {
        if (id === undefined) continue;
        if (seen.has(id)) problems.push(`call id ${id} stands twice`);
        seen.add(id);
      }
      if (part.result?.forModel.length === 0) problems.push(`the result of ${part.callId} is empty`);
      return problems;
    }
  }
}

export const someUsage: Usage = { input: 900, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

let made = 0;

/** Text in small deltas. */
export function say(text: string, partId = `t${made++}`): StepPart[] {
  const pieces = text.match(/.{1,6}/gsu) ?? [];
  return [
    { kind: 'text-start', partId },
    ...pieces.map((piece): StepPart => ({ kind: 'text-delta', partId, text: piece })),
    { kind: 'text-end', partId, text },
  ];
}

export function think(text: string, partId = `r${made++}`): StepPart[] {
  return [
    { kind: 'reasoning-start', partId },
    { kind: 'reasoning-delta', partId, text },
    { kind: 'reasoning-end', partId, text },
  ];
}

export function call(
  tool: string,
  input: JsonValue,
  options: { vendorCallId?: string; rawInput?: string } = {},
): StepPart[] {
  const partId = `c${made++}`;
  const { vendorCallId = `v_${partId}`, rawInput } = options;
  const raw = rawInput === undefined ? {} : { rawInput };
  return [
    { kind: 'tool-call-start', partId, tool },
    { kind: 'tool-call-delta', partId, text: rawInput ?? JSON.stringify(input) },
    { kind: 'tool-call', partId, vendorCallId, tool, input: rawInput === undefined ? input : {}, ...raw },
  ];
}

export function done(
  reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' = 'stop',
  usage: Usage | null = someUsage,
  costUsd: number | null = 0,
): StepPart[] {
  return [{ kind: 'finish', reason, usage, costUsd }];
}

/** A whole answer. */
export function answer(text: string): StepPart[] {
  return [...say(text), ...done()];
}

/** A message with calls and nothing else. */
export function calls(...parts: StepPart[][]): StepPart[] {
  return [...parts.flat(), ...done('tool-calls')];
}

export function failure(error: Partial<ModelError> = {}): StepPart[] {
  return [{ kind: 'error', error: modelError(error) }];
}

export function modelError(error: Partial<ModelError> = {}): ModelError {
  return {
    class: 'server',
    retryable: false,
    message: 'The server failed.',
    advice: 'Try again.',
    ...error,
  };
}

/** Waits until `signal` aborts, as a server does that sends nothing. */
export function silence(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
