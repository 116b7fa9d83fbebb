import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { FinishReason } from '#protocol/message.ts';
import type { ModelClient, StepPart, StepRequest, StreamOptions } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { CacheMiss, Usage } from '#protocol/usage.ts';
import { abortable } from './abortable.ts';
import { AssistantMessage, type AssistantMessageDeps } from './assistant-message.ts';
import { abortedText } from './refusal.ts';

export type StepDeps = Omit<AssistantMessageDeps, 'model'> & {
  client: ModelClient;
  /** What this request missed in the provider's cache, once its tokens are counted. */
  cacheMissOf(usage: Usage | null): CacheMiss | undefined;
};

export type StepEnd =
  | {
      kind: 'answered';
      finish: FinishReason;
      text: string;
      usage: Usage | null;
      /** What it missed in the provider's cache. */
      cacheMiss?: CacheMiss;
      /** What the model should be told of a call in this answer that could not be read. */
      correction?: string;
    }
  | { kind: 'aborted' }
  /** The stream broke after some of its calls had run: the message stays, and the next step goes on from it. */
  | { kind: 'lost'; error: ModelError }
  | { kind: 'failed'; error: ModelError };

const lostText = 'It was not run: the answer of the model broke off.';

/**
 * One model call: its stream becomes events and one assistant message. Calls go to `batch` as soon as their
 * arguments are complete; running the rest of them is up to the caller. Never rejects.
 */
export async function modelStep(
  deps: StepDeps,
  request: StepRequest,
  { signal, maxAttempts }: StreamOptions,
): Promise<StepEnd> {
  const { client, channel, batch } = deps;
  const newMessage = () => new AssistantMessage({ ...deps, model: client.info.ref });
  let message = newMessage();
  let isWaiting = false;
  // What a broken try has shown stays until another one has something to show.
  let isVoid = false;
  const discardVoid = async () => {
    if (!isVoid) return;
    await batch.discard();
    await message.discard();
    message = newMessage();
    isVoid = false;
  };
  let failure: ModelError | undefined;
  const call = new AbortController();
  const either = AbortSignal.any([signal, call.signal]);
  try {
    const stream = client.stream(request, { signal: either, maxAttempts });
    for await (const part of abortable(stream, { signal: either, merge: mergeParts })) {
      if (part.kind === 'retry') {
        if (batch.hasRun) {
          call.abort();
          return await loseMessage(message, { deps, part, signal });
        }
        isVoid = true;
        isWaiting = true;
        const { attempt, maxAttempts, until, error } = part;
        await channel.send({ kind: 'retry-wait', attempt, maxAttempts, until, error });
        continue;
      }
      if (isWaiting) await channel.send({ kind: 'retry-end' });
      isWaiting = false;
      if (part.kind === 'attempt') continue;
      if (part.kind === 'notice') {
        const { level, text } = part;
        await channel.send({ kind: 'notice-added', notice: { id: deps.ids(), kind: 'notice', level, text } });
        continue;
      }
      if (part.kind === 'finish') {
        await discardVoid();
        const { reason: finish, usage, costUsd, correction } = part;
        const cacheMiss = deps.cacheMissOf(usage);
        await message.end({ finish, usage, costUsd, ...(cacheMiss ? { cacheMiss } : {}) });
        const text = message.text;
        return {
          ...{ kind: 'answered', finish, text, usage },
          ...(cacheMiss ? { cacheMiss } : {}),
          ...(correction ? { correction } : {}),
        };
      }
      if (part.kind === 'error') {
        failure = part.error;
        break;
      }
      await discardVoid();
      await message.take(part);
    }
  } catch (error) {
    log('a model stream threw:', error);
    failure = brokenStream(client, errorText(error));
  }
  if (isWaiting) await channel.send({ kind: 'retry-end' });
  if (signal.aborted) {
    await breakOff(message, { deps, finish: 'aborted', why: abortedText });
    return { kind: 'aborted' };
  }
  const error = failure ?? brokenStream(client, 'the stream ended without an end');
  await breakOff(message, { deps, finish: 'lost', why: lostText });
  return { kind: 'failed', error };
}

/** Keeps the message, and the pace that the client has set for the next try. */
async function loseMessage(
  message: AssistantMessage,
  { deps, part, signal }: { deps: StepDeps; part: Extract<StepPart, { kind: 'retry' }>; signal: AbortSignal },
): Promise<StepEnd> {
  const { attempt, maxAttempts, until, error } = part;
  await breakOff(message, { deps, finish: 'lost', why: lostText });
  await deps.channel.send({ kind: 'retry-wait', attempt, maxAttempts, until, error });
  await deps.clock.wait(Math.max(0, until - deps.clock.now()), { signal });
  await deps.channel.send({ kind: 'retry-end' });
  return signal.aborted ? { kind: 'aborted' } : { kind: 'lost', error };
}

/** What there is of the message is kept; one with nothing in it is void. */
async function breakOff(
  message: AssistantMessage,
  { deps, finish, why }: { deps: StepDeps; finish: 'aborted' | 'lost'; why: string },
): Promise<void> {
  await message.endParts();
  if (!message.hasContent) {
    await deps.batch.discard();
    await message.discard();
    return;
  }
  await deps.batch.abandon(why);
  await message.end({ finish, usage: null, costUsd: null });
}

/** Joins the deltas of one part when they come faster than they are worked on. */
function mergeParts(last: StepPart, next: StepPart): StepPart | undefined {
  if (next.kind !== 'text-delta' && next.kind !== 'reasoning-delta' && next.kind !== 'tool-call-delta')
    return undefined;
  if (last.kind !== next.kind || last.partId !== next.partId) return undefined;
  return { ...next, text: last.text + next.text };
}

function brokenStream(client: ModelClient, what: string): ModelError {
  return {
    class: 'bad-response',
    retryable: false,
    message: `The answer of ${formatModelRef(client.info.ref)} broke off: ${what}.`,
    advice: 'Send "continue" to go on, or choose another model with /model.',
  };
}
