import type { ModelClient, StepPart, StepRequest } from '#protocol/model-client.ts';

/** The smallest request: one question, no tools. */
export const question: StepRequest = {
  system: ['Be brief.'],
  messages: [{ id: 'm1', role: 'user', createdAt: 0, parts: [{ kind: 'text', id: 'p1', text: 'hello' }] }],
  tools: [],
  threadId: 'thread-1',
};

/** All parts of one call. `onPart` may act in between, e.g. move a fake clock. */
export async function ask(
  model: ModelClient,
  {
    request = question,
    signal = new AbortController().signal,
    onPart,
  }: {
    request?: StepRequest;
    signal?: AbortSignal;
    onPart?: (part: StepPart) => void;
  } = {},
): Promise<StepPart[]> {
  const parts: StepPart[] = [];
  for await (const part of model.stream(request, { signal })) {
    parts.push(part);
    onPart?.(part);
  }
  return parts;
}

export function textOf(parts: readonly StepPart[]): string {
  const start = parts.findLastIndex((part) => part.kind === 'attempt');
  return parts
    .slice(start)
    .flatMap((part) => (part.kind === 'text-delta' ? [part.text] : []))
    .join('');
}
