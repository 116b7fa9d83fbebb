import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { ToolCallPart, ToolResultRecord } from '#protocol/message.ts';
import type { ThreadHeader } from '#protocol/thread-entry.ts';
import type { ActiveConsult, ThreadState } from '#protocol/thread-state.ts';

/** The state that a log leads to. */
export function foldLog({
  header,
  events,
}: {
  header: Pick<ThreadHeader, 'threadId' | 'cwd'>;
  events: readonly EngineEvent[];
}): ThreadState {
  const { threadId, cwd } = header;
  return events.reduce(applyEvent, emptyThreadState({ threadId, cwd, mode: 'prompt' }));
}

/** Calls that have no result, with the message that they stand in; oldest first. */
export function openCalls(state: ThreadState): { messageId: string; part: ToolCallPart }[] {
  const messages = state.live ? [...state.messages, state.live] : state.messages;
  return messages.flatMap((message) =>
    message.parts
      .filter((part) => part.kind === 'tool-call' && part.result === undefined && part.rawInput !== '')
      .map((part) => ({ messageId: message.id, part: part as ToolCallPart })),
  );
}

/** What gives every open call its one result. */
export function settleCalls(state: ThreadState, text: string): EventBody[] {
  return openCalls(state).map(({ messageId, part }) => ({
    kind: 'tool-run-end',
    messageId,
    callId: part.callId,
    result: abortedResult(text),
  }));
}

export function abortedResult(text: string): ToolResultRecord {
  return { status: 'aborted', forModel: [{ kind: 'text', text }], durationMs: 0 };
}

/** The events that bring a thread to rest whose process ended in the middle; none when it was at rest. */
export function settleCrash(state: ThreadState): EventBody[] {
  const calls = settleCalls(
    state,
    'llmcode ended before this call had a result. It may have had effects: check before you repeat it.',
  );
  const isRunning =
    state.turnId !== null ||
    state.live !== null ||
    state.isCompacting ||
    state.permissions.length > 0 ||
    state.questions.length > 0 ||
    Object.keys(state.activeRuns).length > 0;
  const consults = state.consults.map(lostConsult);
  if (!isRunning) return [...calls, ...consults];
  return [
    ...calls,
    ...consults,
    {
      kind: 'turn-end',
      reason: 'aborted',
      text: 'llmcode ended while this turn ran.',
      steps: 0,
      durationMs: 0,
    },
  ];
}

/** The round may have ended well: only its own thread knows. */
function lostConsult({ startedAt: _startedAt, ...round }: ActiveConsult): EventBody {
  const text = `llmcode left this thread before the answer came. If there is one, /consult show ${round.thread} has it.`;
  return {
    kind: 'consult-end',
    part: {
      ...round,
      kind: 'consult',
      model: null,
      status: 'unknown',
      text,
      usage: null,
      costUsd: null,
      durationMs: 0,
    },
  };
}
