import type { EventBody } from '#protocol/event.ts';
import { modelMessages } from './context/history.ts';
import { undoCompaction } from './context/undo-compaction.ts';
import type { ModelSeat } from './model-seat.ts';
import type { LiveThread } from './thread/live-thread.ts';
import { compactHistory, compactionText } from './turn/make-room.ts';
import { lastTold } from './turn/mode-note.ts';
import { budgetRefusal } from './turn/over-budget.ts';
import type { TurnDeps } from './turn/turn-deps.ts';

/** What to tell the person. */
type Told = { level: 'info' | 'error'; text: string };

/** Summarises history because the person wants it, outside of a turn. */
export async function compactNow(
  { thread, turnDeps, seat }: { thread: LiveThread; turnDeps: TurnDeps; seat: ModelSeat },
  { focus, signal }: { focus: string | undefined; signal: AbortSignal },
): Promise<Told> {
  const client = await seat.client();
  const refusal = await budgetRefusal(turnDeps, { client, last: undefined });
  if (refusal !== undefined) return { level: 'error', text: refusal };
  const emit = async (body: EventBody) => void thread.emit(body, null);
  const end = await compactHistory(turnDeps, {
    ...{ client, emit, signal, focus },
    automatic: false,
    keepShare: 0.1,
  });
  turnDeps.memory().uselessCompactions = 0;
  return { level: 'info', text: compactionText(end) };
}

/** Takes the last compaction back, if what was dropped still fits. */
export function undoCompactionNow({ thread, turnDeps }: { thread: LiveThread; turnDeps: TurnDeps }): Told {
  const memory = turnDeps.memory();
  const undo = undoCompaction(thread.state, { meter: memory.meter, fixedTokens: turnDeps.fixedTokens });
  if (undo.event) {
    thread.emit(undo.event, thread.state.turnId);
    memory.told = lastTold(modelMessages(thread.state));
  }
  return { level: 'info', text: undo.text };
}
