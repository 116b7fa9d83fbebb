import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { EventBody } from '#protocol/event.ts';
import type { ModelClient, StepRequest } from '#protocol/model-client.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { Usage } from '#protocol/usage.ts';
import { abortable } from '../turn/abortable.ts';
import instructions from './compact.md';

export type SummaryAnswer =
  | { kind: 'text'; text: string; usage: Usage | null; costUsd: number | null }
  /** `why` is a sentence. */
  | { kind: 'none'; why: string }
  | { kind: 'aborted' };

/** Asks the model for a summary; `none` when it fails or says nothing. Never rejects. */
export async function askForSummary(
  deps: { client: ModelClient; ids: IdSource; emit(body: EventBody): Promise<void> },
  {
    threadId,
    transcript,
    focus,
    signal,
  }: { threadId: string; transcript: string; focus: string | undefined; signal: AbortSignal },
): Promise<SummaryAnswer> {
  const wish = focus?.trim() ? `\n\nThe person asks to keep this above all: ${focus.trim()}` : '';
  const text = `<transcript>\n${transcript}\n</transcript>\n\nSummarise this transcript.${wish}`;
  const request: StepRequest = {
    system: [instructions.trim()],
    messages: [
      { id: deps.ids(), role: 'user', parts: [{ kind: 'text', id: deps.ids(), text }], createdAt: 0 },
    ],
    tools: [],
    threadId: `${threadId}-summary`,
  };
  let answer = '';
  let broke = 'the stream ended without an end';
  let isWaiting = false;
  const endWait = async () => {
    if (isWaiting) await deps.emit({ kind: 'retry-end' });
    isWaiting = false;
  };
  try {
    for await (const part of abortable(deps.client.stream(request, { signal }), { signal })) {
      if (part.kind === 'retry') {
        answer = '';
        isWaiting = true;
        const { attempt, maxAttempts, until, error } = part;
        await deps.emit({ kind: 'retry-wait', attempt, maxAttempts, until, error });
        continue;
      }
      await endWait();
      if (part.kind === 'text-end') answer += part.text;
      if (part.kind === 'error') {
        log('no summary:', part.error.message);
        return { kind: 'none', why: `${nameOf(deps)}: ${part.error.message}` };
      }
      if (part.kind !== 'finish') continue;
      const { usage, costUsd } = part;
      return answer.trim() === ''
        ? { kind: 'none', why: `${nameOf(deps)} answered with nothing.` }
        : { kind: 'text', text: answer.trim(), usage, costUsd };
    }
  } catch (error) {
    log('no summary:', error);
    broke = errorText(error);
  }
  await endWait();
  return signal.aborted
    ? { kind: 'aborted' }
    : { kind: 'none', why: `The answer of ${nameOf(deps)} broke off: ${broke}.` };
}

function nameOf({ client }: { client: ModelClient }): string {
  return formatModelRef(client.info.ref);
}
