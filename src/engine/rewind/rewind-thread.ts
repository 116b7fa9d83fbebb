import { LlmcodeError } from '#lib/errors.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { settleCrash } from '../thread/fold.ts';
import type { LiveThread } from '../thread/live-thread.ts';
import { readLog } from '../thread/log-reader.ts';
import { lastSets, lastUndo, setsSince } from './choose-sets.ts';
import type { ToldRevert } from './revert-text.ts';
import type { ThreadChanges } from './thread-changes.ts';

export type RewindAction = Extract<UserAction, { kind: 'undo-changes' | 'redo-changes' | 'rewind' }>;

type Rewinding = {
  thread: LiveThread;
  changes: ThreadChanges;
  /** The thread's log; undefined when it is not kept. */
  log: string | undefined;
};

/**
 * Carries out a step back or forward in a thread that is at rest; resolves with what to tell the person. Rejects with
 * an `LlmcodeError` when it cannot.
 */
export async function rewindThread(
  { thread, changes, log }: Rewinding,
  action: RewindAction,
): Promise<ToldRevert & { hasRewound: boolean }> {
  const { state } = thread;
  switch (action.kind) {
    case 'undo-changes': {
      const sets = lastSets(state, action.prompts);
      if (sets.length === 0) throw nothing('No change to files is left to take back in this thread.');
      const told = await changes.revert(sets, { cause: 'undo', edited: action.edited });
      return { ...told, hasRewound: false };
    }
    case 'redo-changes': {
      const undo = lastUndo(state);
      if (!undo) throw nothing('Nothing was taken back that could be brought back.');
      const told = await changes.revert([undo], { cause: 'redo', edited: action.edited });
      return { ...told, hasRewound: false };
    }
    case 'rewind': {
      const { promptId, what, edited, only } = action;
      if (!state.messages.some(({ id }) => id === promptId))
        throw nothing('That message is not in this thread any more.');
      const point = what === 'code' ? undefined : await pointBefore(promptId, { state, log });
      const told =
        what === 'conversation' ? undefined : await turnBack(changes, { state, promptId, edited, only });
      if (!point) return { ...(told ?? noFiles), hasRewound: false };
      const { todos, notes = '', compaction, trims, rewrite, contextTokens } = point;
      thread.emit(
        {
          kind: 'thread-rewound',
          promptId,
          rewound: { todos, notes, compaction, trims, rewrite, contextTokens },
        },
        null,
      );
      const lines = ['The conversation goes on from before that message.', ...(told ? [told.text] : [])];
      return { level: told?.level ?? 'info', text: lines.join('\n'), hasRewound: true };
    }
  }
}

const noFiles: ToldRevert = { level: 'info', text: 'No file is different from then.' };

async function turnBack(
  changes: ThreadChanges,
  {
    state,
    promptId,
    edited,
    only,
  }: Pick<Extract<RewindAction, { kind: 'rewind' }>, 'promptId' | 'edited' | 'only'> & { state: ThreadState },
): Promise<ToldRevert | undefined> {
  const sets = setsSince(state, promptId);
  return sets.length > 0 ? changes.revert(sets, { cause: 'undo', edited, only }) : undefined;
}

/** The thread as it was when the person had not yet said this. */
async function pointBefore(
  promptId: string,
  { state, log }: { state: ThreadState; log: string | undefined },
): Promise<ThreadState> {
  if (log === undefined)
    throw new LlmcodeError(
      'not-kept',
      'This thread is not kept on disk, so its conversation cannot go back.',
    );
  const { header, events } = await readLog(log, { damage: 'skip' });
  let before = emptyThreadState({ threadId: header.threadId, cwd: header.cwd, mode: state.mode });
  for (const event of events) {
    if (event.kind === 'message-added' && event.message.id === promptId) return atRest(before);
    before = applyEvent(before, event);
  }
  throw new LlmcodeError('not-found', 'The log of this thread does not hold that message any more.');
}

/** A message can go in while a turn runs; what ran then does not run in the thread that goes on. */
function atRest(state: ThreadState): ThreadState {
  return settleCrash(state).reduce(
    (settled, body) =>
      applyEvent(settled, {
        ...body,
        threadId: settled.threadId,
        turnId: null,
        seq: settled.seq,
        at: 0,
      } as Parameters<typeof applyEvent>[1]),
    state,
  );
}

function nothing(text: string): LlmcodeError {
  return new LlmcodeError('nothing-to-rewind', text);
}
