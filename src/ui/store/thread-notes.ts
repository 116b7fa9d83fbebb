import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { TranscriptNote } from './view-state.ts';

export type NoteBody = TranscriptNote extends infer Note
  ? Note extends TranscriptNote
    ? Omit<Note, 'id'>
    : never
  : never;

/** What the state forgets with this event but the transcript should go on showing at its place. */
export function noteOf(state: ThreadState, event: EngineEvent): NoteBody | undefined {
  if (event.kind === 'turn-start') {
    const end = state.lastTurnEnd;
    if (!end || end.reason === 'done') return undefined;
    return { kind: 'turn-end', afterId: lastId(state), reason: end.reason, text: end.text ?? '' };
  }
  if (event.kind === 'thread-compacted') {
    const { summary, keptFrom, tokensBefore, tokensAfter } = event;
    return { kind: 'compaction', afterId: placeBefore(state, keptFrom), summary, tokensBefore, tokensAfter };
  }
  return undefined;
}

/** What a thread that was read from its log shows besides its messages. */
export function notesOf(state: ThreadState): NoteBody[] {
  const { compaction } = state;
  // Without a message that was kept nothing says where it happened.
  if (!compaction || compaction.keptFrom === null) return [];
  const afterId = placeBefore(state, compaction.keptFrom);
  return [{ kind: 'compaction', afterId, summary: compaction.summary, tokensBefore: null, tokensAfter: null }];
}

function placeBefore(state: ThreadState, messageId: string | null): string | null {
  const index = state.messages.findLastIndex((message) => message.id === messageId);
  return index < 0 ? lastId(state) : (state.messages[index - 1]?.id ?? null);
}

function lastId(state: ThreadState): string | null {
  return state.live?.id ?? state.messages.at(-1)?.id ?? null;
}
