import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { TranscriptNote } from './view-state.ts';

type NoteBody = TranscriptNote extends infer Note ? (Note extends TranscriptNote ? Omit<Note, 'id'> : never) : never;

/** What the state forgets with this event but the transcript should go on showing at its place. */
export function noteOf(state: ThreadState, event: EngineEvent): NoteBody | undefined {
  const afterId = state.live?.id ?? state.messages.at(-1)?.id ?? null;
  if (event.kind === 'turn-start') {
    const end = state.lastTurnEnd;
    if (!end || end.reason === 'done') return undefined;
    return { kind: 'turn-end', afterId, reason: end.reason, text: end.text ?? '' };
  }
  if (event.kind === 'thread-compacted') {
    const { summary, tokensBefore, tokensAfter } = event;
    return { kind: 'compaction', afterId, summary, tokensBefore, tokensAfter };
  }
  return undefined;
}

/** A snapshot of the thread that is on the screen keeps scroll, opened cells and notes. */
export function keepAcross(shown: ThreadState, snapshot: ThreadState): boolean {
  return shown.threadId === snapshot.threadId;
}
