import type { EngineEvent } from './event.ts';
import type { UserAction } from './user-action.ts';

/** One thread as its clients see it. A local engine and a remote one both satisfy it. */
export interface EngineHandle {
  readonly threadId: string;
  /** Never throws and never waits; what comes of it arrives as events. A bad action becomes a notice. */
  submit(action: UserAction): void;
  /**
   * Without `sinceSeq` the first event is a `thread-snapshot`. With it, the events after that number follow,
   * or a snapshot where they are no longer at hand. Ends when the handle is closed or the iterator is returned.
   * A slow reader loses merged deltas only.
   */
  events(sinceSeq?: number): AsyncIterable<EngineEvent>;
  /**
   * Stops what runs, writes what is left, frees the thread for other processes. Safe to call twice.
   * Hooks are told the reason: `clear` and `resume` when another thread takes its place, else `exit`.
   */
  close(reason?: 'clear' | 'resume' | 'exit'): Promise<void>;
}
