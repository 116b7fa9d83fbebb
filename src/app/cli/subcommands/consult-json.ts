import type { Consults } from '#agents/consult/consults.ts';
import type { ConsultLog, ConsultThread } from '#agents/consult/registry.ts';
import type { Round } from '#agents/consult/rounds.ts';
import type { AskedRound, Seat } from '#agents/consult/run-round.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { isoTime } from '#lib/iso-time.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';

/** Why there is no answer. */
export type Failure = { code: string; message: string; retryable: boolean };

/** What came of asking one peer: an answer or a failure. */
export type Asked =
  | { seat: Seat; round: AskedRound; failure?: undefined }
  | { seat: Seat; failure: Failure; round?: undefined };

/** `llmcode.consult.v1`: an answered round. */
export function answerJson({ seat, round }: { seat: Seat; round: AskedRound }): object {
  const { peer, thread: name } = seat;
  return {
    schema_version: 'llmcode.consult.v1',
    ok: true,
    session: { id: round.threadId, name, model: peer, turn: round.number },
    thread: { name, round: round.number, peer, continued: seat.threadId !== null },
    message: { text: round.text, content: [{ type: 'text', text: round.text }] },
    provenance: provenance(round),
    warnings: [],
  };
}

/** `llmcode.consult.all.v1`: every peer in the order in which they were named. */
export function allJson(asked: readonly Asked[]): object {
  return {
    schema_version: 'llmcode.consult.all.v1',
    ok: asked.some(({ round }) => round !== undefined),
    results: asked.map((each) =>
      each.round
        ? answerJson(each)
        : { ok: false, thread: { name: each.seat.thread, peer: each.seat.peer }, error: each.failure },
    ),
  };
}

export function errorJson(error: Failure): object {
  return { schema_version: 'llmcode.error.v1', ok: false, error };
}

export function failureOf(error: unknown): Failure {
  if (!LlmcodeError.isInstance(error)) throw error;
  return { code: error.code, message: error.message, retryable: error.code === 'thread_busy' };
}

export function threadsJson(threads: Awaited<ReturnType<Consults['list']>>): object {
  return { schema_version: 'llmcode.threads.v1', threads: threads.map(threadJson) };
}

export function showJson({ header, name, rounds }: ConsultLog): object {
  return {
    schema_version: 'llmcode.consult.show.v1',
    thread: { name, id: header.threadId, peer: header.peer ?? '', cwd: header.cwd },
    rounds: rounds.map((round) => ({
      round: round.number,
      status: round.isRunning ? 'running' : round.status,
      question: round.question,
      answer: round.text,
      asked_at: isoTime(round.askedAt),
      provenance: provenance(round),
      ...(round.failure ? { error: round.failure } : {}),
    })),
  };
}

function threadJson({
  name,
  threadId,
  peer,
  cwd,
  rounds,
  createdAt,
  updatedAt,
  damage,
}: ConsultThread): object {
  return {
    name,
    id: threadId,
    peer,
    rounds,
    cwd,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    ...(damage === undefined ? {} : { warning: damage }),
  };
}

function provenance({ model, usage, costUsd, durationMs }: Round): object {
  return {
    model: model && formatModelRef(model),
    usage: usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
      reasoning_tokens: usage.reasoning,
    },
    cost_usd: usage && costUsd,
    duration_ms: durationMs,
  };
}
