import { formatCount, shortCount } from '#lib/amounts.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { TranscriptNote } from './view-state.ts';

export type NoteBody = TranscriptNote extends infer Note
  ? Note extends TranscriptNote
    ? Omit<Note, 'id'>
    : never
  : never;

/** What the state does not keep for good but the transcript shows at its place from here on. */
export function noteOf(state: ThreadState, event: EngineEvent): NoteBody | undefined {
  if (event.kind === 'turn-end') {
    const { reason, error, text } = event;
    return turnEndNote(state, { reason, text: error ? `${error.message}\n${error.advice}` : text });
  }
  if (event.kind === 'thread-compacted') {
    const { summary, keptFrom, tokensBefore, tokensAfter } = event;
    const afterId = placeBefore(state, keptFrom);
    const dropped = event.dropped ? droppedText(event.dropped) : '';
    return { kind: 'compaction', afterId, summary, tokensBefore, tokensAfter, dropped };
  }
  if (event.kind === 'history-trimmed') {
    const results = count(event.trims.length, 'old tool result');
    const change = `${shortCount(event.tokensBefore)} → ${shortCount(event.tokensAfter)}`;
    const text = `${results} shortened for the model · ${change} · \`/compact undo\` takes it back`;
    return { kind: 'notice', afterId: lastId(state), level: 'info', text };
  }
  return undefined;
}

/** What a thread that was read from its log shows besides its messages. */
export function notesOf(state: ThreadState): NoteBody[] {
  const notes: NoteBody[] = [];
  const { compaction, lastTurnEnd } = state;
  // Without a message that was kept nothing says where it happened.
  if (compaction && compaction.keptFrom !== null) {
    const afterId = placeBefore(state, compaction.keptFrom);
    notes.push({
      kind: 'compaction',
      afterId,
      summary: compaction.summary,
      tokensBefore: null,
      tokensAfter: null,
    });
  }
  const end = lastTurnEnd && turnEndNote(state, lastTurnEnd);
  if (end) notes.push(end);
  return notes;
}

function droppedText({
  messages,
  results,
  files,
}: {
  messages: number;
  results: number;
  files: number;
}): string {
  const parts = [count(messages, 'message'), count(results, 'result'), count(files, 'file')];
  return parts.filter((text) => !text.startsWith('0 ')).join(', ');
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function turnEndNote(
  state: ThreadState,
  { reason, text = '' }: { reason: string; text?: string | undefined },
): NoteBody | undefined {
  if (reason === 'done') return undefined;
  // A message that was cut off says so itself.
  const isCut = state.live !== null || state.messages.at(-1)?.finish === 'aborted';
  if (reason === 'aborted' && isCut && text === '') return undefined;
  return { kind: 'turn-end', afterId: lastId(state), reason, text };
}

function placeBefore(state: ThreadState, messageId: string | null): string | null {
  const index = state.messages.findLastIndex((message) => message.id === messageId);
  return index < 0 ? lastId(state) : (state.messages[index - 1]?.id ?? null);
}

function lastId(state: ThreadState): string | null {
  return state.live?.id ?? state.messages.at(-1)?.id ?? null;
}
