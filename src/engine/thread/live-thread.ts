import { AsyncQueue } from '#lib/async-queue.ts';
import type { Clock } from '#lib/clock.ts';
import { applyEvent } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ThreadLog } from './log.ts';
import { mergeDeltas } from './merge-deltas.ts';

/** Events that a client can ask for again by number. */
const recentEvents = 2_048;

/**
 * One open thread: the only place where its events get their numbers, enter its state and its log, and go to its
 * clients. All of that happens within `emit`, so that no reader can see one without the others.
 */
export class LiveThread {
  readonly #log: ThreadLog | null;
  readonly #clock: Clock;
  readonly #readers = new Set<AsyncQueue<EngineEvent>>();
  readonly #recent: EngineEvent[] = [];
  #onEvent: ((event: EngineEvent) => void) | undefined;
  #oldest = 0;
  #state: ThreadState;
  #isClosed = false;

  constructor({ state, log, clock }: { state: ThreadState; log: ThreadLog | null; clock: Clock }) {
    this.#state = state;
    this.#log = log;
    this.#clock = clock;
  }

  get state(): ThreadState {
    return this.#state;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Never throws. */
  emit(body: EventBody, turnId: string | null): EngineEvent {
    const { threadId, seq } = this.#state;
    const event = { ...body, threadId, turnId, seq: seq + 1, at: this.#clock.now() } as EngineEvent;
    this.#state = applyEvent(this.#state, event);
    if (this.#log && !isDelta(event)) {
      this.#log.append(JSON.stringify(event));
      if (opensLog(event)) this.#log.begin();
    }
    this.#remember(event);
    if (!isDelta(event)) this.#onEvent?.(event);
    for (const reader of this.#readers) reader.push(event);
    // Readers run after this at the earliest: what one of them hears of survives the end of this process.
    if (!isDelta(event)) this.#log?.settle();
    return event;
  }

  /** For the engine itself: called within `emit`, not for deltas. */
  watch(onEvent: (event: EngineEvent) => void): void {
    this.#onEvent = onEvent;
  }

  /** What `EngineHandle.events` promises; the reader is attached at once. */
  events(sinceSeq?: number): AsyncIterable<EngineEvent> {
    const reader: AsyncQueue<EngineEvent> = new AsyncQueue({
      merge: mergeDeltas,
      onReturn: () => this.#readers.delete(reader),
    });
    for (const event of this.#eventsSince(sinceSeq) ?? [this.#snapshot()]) reader.push(event);
    if (this.#isClosed) reader.close();
    else this.#readers.add(reader);
    return reader;
  }

  /** From here on what was emitted survives the end of this process. */
  flush(): void {
    this.#log?.flush();
  }

  /** Resolves when what was emitted survives a power cut. */
  async sync(): Promise<void> {
    await this.#log?.sync();
  }

  /** Every reader still gets what was emitted. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
    await this.#log?.close();
  }

  #snapshot(): EngineEvent {
    const { threadId, turnId, seq } = this.#state;
    return { kind: 'thread-snapshot', threadId, turnId, seq, at: this.#clock.now(), state: this.#state };
  }

  #remember(event: EngineEvent): void {
    this.#recent[event.seq % recentEvents] = event;
    if (this.#oldest === 0) this.#oldest = event.seq;
    this.#oldest = Math.max(this.#oldest, event.seq - recentEvents + 1);
  }

  /** undefined when they are no longer all at hand. */
  #eventsSince(sinceSeq: number | undefined): EngineEvent[] | undefined {
    const { seq } = this.#state;
    if (sinceSeq === undefined || sinceSeq > seq) return undefined;
    if (sinceSeq === seq) return [];
    if (this.#oldest === 0 || sinceSeq + 1 < this.#oldest) return undefined;
    const events: EngineEvent[] = [];
    for (let number = sinceSeq + 1; number <= seq; number += 1) {
      const event = this.#recent[number % recentEvents];
      if (event) events.push(event);
    }
    return events;
  }
}

/** What a thread may hold and still be as good as unused: opening and leaving it writes no file. */
function opensLog(event: EngineEvent): boolean {
  switch (event.kind) {
    case 'mode-changed':
    case 'model-switched':
    case 'frame-measured':
    case 'notice-added':
    case 'pending-changed':
      return false;
    default:
      return true;
  }
}
