import { openThread } from '#engine/open-thread.ts';
import { LlmcodeError } from '#lib/errors.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { consultError, threadBusy } from './consult-error.ts';
import type { ConsultParts } from './consult-parts.ts';
import { hooksForPeer, peerGate, toolsForPeer } from './peer-gate.ts';
import preamble from './preamble.md';
import { readConsult, reserveName } from './registry.ts';
import { answeredRounds, type Round, roundsOf } from './rounds.ts';
import { roundHooks } from './tell-hooks.ts';

/** Where a question goes: into a new thread of this name, or on in one that is there. */
export type Seat = {
  peer: string;
  ref: ModelRef;
  thread: string;
  /** null = the thread begins with this round. */
  threadId: string | null;
};

/** A round that was asked, and the id of its thread. */
export type AskedRound = Round & { threadId: string };

/**
 * Asks one question and waits for the end of the round; aborting `signal` stops it. A round that ended badly is a
 * result; it rejects with an `LlmcodeError` only when nothing was sent, e.g. `thread_busy` or `thread_exists`.
 */
export async function runRound(
  parts: ConsultParts,
  seat: Seat,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<AskedRound> {
  const { home } = parts;
  const reserved = seat.threadId === null && parts.persist ? await reserveName(home, seat.thread) : undefined;
  let handle: EngineHandle | undefined;
  try {
    handle = await open(parts, seat);
    const before = seat.threadId === null ? 0 : await answeredSoFar(home, seat.threadId);
    const events = handle.events();
    if (seat.threadId === null) handle.submit({ kind: 'rename', name: seat.thread });
    const hooks = roundHooks(parts, seat);
    hooks.asked(handle.threadId, text);
    handle.submit({ kind: 'prompt', text, images: [], delivery: 'queue' });
    const round = await followRound(handle, events, {
      parts,
      signal,
      // From here on the list of threads shows the name.
      onSent: () => reserved?.release(),
    });
    await hooks.ended(round);
    return { ...round, number: before + 1, threadId: handle.threadId };
  } finally {
    reserved?.release();
    await handle?.close();
  }
}

async function open(parts: ConsultParts, seat: Seat): Promise<EngineHandle> {
  const { directory, createGate, createHooks, settings, ...rest } = parts;
  const gate = peerGate(createGate(), parts);
  let threadId = '';
  try {
    const handle = await openThread({
      ...rest,
      origin: seat.threadId === null ? { kind: 'new' } : { kind: 'resume', threadId: seat.threadId },
      model: seat.ref,
      mode: 'read_only',
      // Pinned: no other model may take over, summarise or see what was meant for this one.
      directory: { open: (ref) => directory.open(ref) },
      tools: toolsForPeer(parts.tools, gate),
      gate,
      hooks: hooksForPeer(createHooks(() => threadId)),
      instructions: [],
      settings: settings(),
      canAsk: false,
      consult: { peer: seat.peer, role: preamble },
    });
    threadId = handle.threadId;
    return handle;
  } catch (error) {
    if (!LlmcodeError.isInstance(error)) throw error;
    if (error.code === 'thread-locked') throw threadBusy(seat.thread, error);
    if (error.code === 'thread-damaged' || error.code === 'thread-newer')
      throw consultError('not_resumable', error.message, error);
    throw error;
  }
}

/** Read while the thread is open here: nobody else adds a round to it. */
async function answeredSoFar(home: string, threadId: string): Promise<number> {
  const summary = {
    threadId,
    name: null,
    cwd: '',
    title: '',
    createdAt: 0,
    updatedAt: 0,
    messages: 0,
    model: null,
  };
  return answeredRounds((await readConsult(home, summary)).rounds);
}

async function followRound(
  handle: EngineHandle,
  events: AsyncIterable<EngineEvent>,
  { parts, signal, onSent }: { parts: ConsultParts; signal: AbortSignal; onSent: () => void },
): Promise<Round> {
  const seen: EngineEvent[] = [];
  const stop = () => handle.submit({ kind: 'interrupt' });
  let isLate = false;
  const seconds = parts.timeoutSeconds();
  const cancelTimeout = parts.clock.after(seconds * 1_000, () => {
    isLate = true;
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const event of events) {
      if (event.kind === 'thread-snapshot') continue;
      seen.push(event);
      if (event.kind === 'message-added') onSent();
      // An abort that came before the turn did had nothing to stop yet.
      if (event.kind === 'turn-start' && signal.aborted) stop();
      if (
        event.kind === 'turn-end' &&
        event.turnId !== null &&
        seen.some(({ kind }) => kind === 'turn-start')
      )
        break;
    }
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', stop);
  }
  const round = roundsOf(seen).at(-1);
  if (!round) throw consultError('provider_error', refusalIn(seen) ?? 'The question was not sent.');
  if (isLate && round.status !== 'answered')
    return {
      ...round,
      status: 'failed',
      failure: {
        code: 'timeout',
        message: `No answer within ${seconds} seconds (consult.timeout).`,
        retryable: true,
      },
    };
  return round;
}

/** Why a turn ended before the question was in the thread. */
function refusalIn(events: readonly EngineEvent[]): string | undefined {
  const end = events.findLast((event) => event.kind === 'turn-end');
  return end?.error ? `${end.error.message} ${end.error.advice}` : end?.text;
}
