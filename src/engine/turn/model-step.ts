import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { FinishReason } from '#protocol/message.ts';
import type { ModelClient, StepPart, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { abortable } from './abortable.ts';
import { AssistantMessage } from './assistant-message.ts';
import type { EventChannel } from './event-channel.ts';
import type { ToolBatch } from './tool-batch.ts';

export type StepDeps = {
  client: ModelClient;
  tools: readonly ToolDef[];
  scope: { cwd: string; roots: readonly string[] };
  channel: EventChannel;
  batch: ToolBatch;
  /** Call ids of vendors that this thread has seen; added to. */
  vendorCallIds: Set<string>;
  clock: Clock;
  ids: IdSource;
};

export type StepEnd =
  | { kind: 'answered'; finish: FinishReason; text: string; calls: number; costUsd: number | null }
  | { kind: 'aborted' }
  /** `hasText`: a part of the answer is kept. */
  | { kind: 'failed'; error: ModelError; hasText: boolean };

/**
 * One model call: its stream becomes events and one assistant message. Calls go to `batch` as soon as their
 * arguments are complete; running the rest of them is up to the caller. Never rejects.
 */
export async function modelStep(
  deps: StepDeps,
  request: StepRequest,
  { signal }: { signal: AbortSignal },
): Promise<StepEnd> {
  const { client, channel, batch, clock } = deps;
  let message = new AssistantMessage(deps);
  let isWaiting = false;
  const attemptAgain = async () => {
    if (!isWaiting) return;
    isWaiting = false;
    await channel.send({ kind: 'retry-end' });
  };
  try {
    const parts = abortable(client.stream(request, { signal }), { signal, merge: mergeParts });
    for await (const part of parts) {
      switch (part.kind) {
        case 'retry': {
          await batch.discard();
          await message.discard();
          message = new AssistantMessage(deps);
          isWaiting = true;
          const { attempt, maxAttempts, until, error } = part;
          await channel.send({ kind: 'retry-wait', attempt, maxAttempts, until, error });
          break;
        }
        case 'attempt':
          await attemptAgain();
          break;
        case 'error':
          await attemptAgain();
          return await fail(message, { batch, error: part.error });
        case 'finish':
          await attemptAgain();
          await message.end({ finish: part.reason, usage: part.usage, costUsd: part.costUsd });
          return {
            kind: 'answered',
            finish: part.reason,
            text: message.text,
            calls: batch.size,
            costUsd: part.costUsd,
          };
        default:
          await message.take(part);
      }
    }
  } catch (error) {
    log('a model stream threw:', error);
    if (!signal.aborted) return await fail(message, { batch, error: brokenStream(client, errorText(error)) });
  }
  if (!signal.aborted) return await fail(message, { batch, error: brokenStream(client, 'it just ended') });
  await batch.abandon('The person interrupted before this call ran.');
  await message.breakOff('aborted');
  if (isWaiting) await channel.send({ kind: 'retry-end' });
  void clock;
  return { kind: 'aborted' };
}
