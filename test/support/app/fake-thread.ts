import { AsyncQueue } from '#lib/async-queue.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UserAction } from '#protocol/user-action.ts';

/** A thread without an engine: it notes actions and tells its readers the events that a test emits. */
export class FakeThread implements EngineHandle {
  readonly submitted: UserAction[] = [];
  readonly threadId: string;
  isClosed = false;
  state: ThreadState;
  readonly #readers = new Set<AsyncQueue<EngineEvent>>();
  readonly #onAction: (action: UserAction, thread: FakeThread) => void;

  constructor(
    options: { threadId?: string; onAction?: (action: UserAction, thread: FakeThread) => void } = {},
  ) {
    this.threadId = options.threadId ?? 'THREAD';
    this.state = emptyThreadState({ threadId: this.threadId, cwd: '/w', mode: 'prompt' });
    this.#onAction = options.onAction ?? (() => undefined);
  }

  submit(action: UserAction): void {
    this.submitted.push(action);
    this.#onAction(action, this);
  }

  emit(body: EventBody, at = 0): void {
    const event = {
      ...body,
      threadId: this.threadId,
      turnId: this.state.turnId,
      seq: this.state.seq + 1,
      at,
    } as EngineEvent;
    this.state = applyEvent(this.state, event);
    for (const reader of this.#readers) reader.push(event);
  }

  events(): AsyncIterable<EngineEvent> {
    const { threadId, state } = this;
    const reader = new AsyncQueue<EngineEvent>();
    reader.push({ kind: 'thread-snapshot', threadId, turnId: null, seq: state.seq, at: 0, state });
    this.#readers.add(reader);
    return reader;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const reader of this.#readers) reader.close();
  }
}
