import type { PermissionRequest } from '#protocol/permission.ts';
import type { QuestionRequest } from '#protocol/question.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { AskDialog } from './dialog.ts';
import { openPermission } from './permission/permission-dialog.ts';
import { openQuestion } from './question/question-dialog.ts';

/** What the engine waits for. `ask` is the one that is answered now; `count` includes it. */
export type AskQueue = {
  readonly ask: AskDialog | null;
  readonly count: number;
  /** Answered here; the thread has not said so yet. */
  readonly answered: ReadonlySet<string>;
};

export const emptyQueue: AskQueue = { ask: null, count: 0, answered: new Set() };

/**
 * The queue after the thread changed. An ask stays on the screen, with all that was typed in it, for as long as
 * its request waits, whatever else comes or goes; when it was answered elsewhere the next one comes.
 */
export function followThread(queue: AskQueue, thread: ThreadState): AskQueue {
  const all = [...thread.permissions, ...thread.questions];
  const answered = queue.answered.size === 0 ? queue.answered : stillThere(queue.answered, all);
  const waiting = all.filter((request) => !answered.has(request.id));
  const [next] = waiting;
  const isKept = queue.ask !== null && waiting.some(({ id }) => id === queue.ask?.request.id);
  if (isKept || !next) {
    const ask = isKept ? queue.ask : null;
    const isSame = ask === queue.ask && waiting.length === queue.count && answered === queue.answered;
    return isSame ? queue : { ask, count: waiting.length, answered };
  }
  return { ask: openAsk(next), count: waiting.length, answered };
}

/** The queue after the ask on the screen was answered here. */
export function withAnswer(queue: AskQueue, thread: ThreadState): AskQueue {
  if (!queue.ask) return queue;
  const answered = new Set(queue.answered).add(queue.ask.request.id);
  return followThread({ ...queue, ask: null, answered }, thread);
}

/** Calls that neither run nor ask yet; calls with effects come one after the other. */
export function waitingCalls({ messages, permissions, activeRuns }: ThreadState): number {
  const asking = new Set(permissions.map(({ callId }) => callId));
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (last?.parts ?? []).filter(
    (part) =>
      part.kind === 'tool-call' &&
      part.result === undefined &&
      !asking.has(part.callId) &&
      !Object.hasOwn(activeRuns, part.callId),
  ).length;
}

function openAsk(request: PermissionRequest | QuestionRequest): AskDialog {
  return 'questions' in request ? openQuestion(request) : openPermission(request);
}

function stillThere(ids: ReadonlySet<string>, requests: readonly { id: string }[]): ReadonlySet<string> {
  const kept = requests.map(({ id }) => id).filter((id) => ids.has(id));
  return kept.length === ids.size ? ids : new Set(kept);
}
