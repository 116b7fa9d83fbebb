import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

/** The state of a thread now: the first event of every subscription holds it. */
export async function snapshotOf(handle: EngineHandle): Promise<ThreadState> {
  for await (const event of handle.events()) if (event.kind === 'thread-snapshot') return event.state;
  throw new Error('the thread was closed');
}
