import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenThreadOptions, openThread } from '#engine/open-thread.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ReplayedSession } from './replayed-session.ts';

/** Opens a thread as a recorded one was opened. Nothing is kept of it: a replay leaves no thread behind. */
export async function openReplayed(
  options: OpenThreadOptions,
  { opened, state }: ReplayedSession,
  { isDriven }: { isDriven: boolean },
): Promise<EngineHandle> {
  const home = await mkdtemp(path.join(tmpdir(), 'llmcode-replay-'));
  const { cwd, roots, instructions, model, canAsk } = opened;
  const handle = await openThread({
    ...options,
    home,
    cwd,
    roots,
    instructions,
    model: model ?? state.model,
    modelOverride: true,
    mode: state.mode,
    origin: state.messages.length === 0 ? { kind: 'new' } : { kind: 'snapshot', state },
    persist: false,
    // Answers of the person are in the recording, as far as it is followed.
    canAsk: isDriven ? canAsk : options.canAsk,
  });
  return {
    threadId: handle.threadId,
    submit: (action) => handle.submit(action),
    events: (sinceSeq) => handle.events(sinceSeq),
    close: async () => {
      await handle.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
