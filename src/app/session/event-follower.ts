import type { EngineEvent } from '#protocol/event.ts';

/**
 * One reader's view of a thread: the thread's own events, asked for one by one so that a slow reader slows the
 * source, with events of the program itself let in between. Those wait for the thread's first snapshot, which
 * would otherwise wipe them out. `return` ends a `next` that waits.
 */
export class EventFollower implements AsyncIterator<EngineEvent> {
  readonly #onEnd: () => void;
  #source: AsyncIterator<EngineEvent> | undefined;
  #isPulling = false;
  #pulled: IteratorResult<EngineEvent> | undefined;
  #extra: EngineEvent[] = [];
  #waiter: { resolve(result: IteratorResult<EngineEvent>): void; reject(error: unknown): void } | undefined;
  #failure: { error: unknown } | undefined;
  #hasSnapshot = false;
  #lastSeq = 0;
  #isEnded = false;

  constructor(options: { onEnd: () => void }) {
    this.#onEnd = options.onEnd;
  }

  /** From now on these events are read; before, a `next` waits. */
  follow(source: AsyncIterable<EngineEvent>): void {
    this.#source = source[Symbol.asyncIterator]();
    this.#hasSnapshot = false;
    if (this.#waiter) this.#pull();
  }

  push(event: EngineEvent): void {
    this.#extra.push(event);
    this.#deliver();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiter?.resolve({ done: true, value: undefined });
    this.#waiter = undefined;
    this.#onEnd();
  }

  next(): Promise<IteratorResult<EngineEvent>> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#deliver();
      if (this.#waiter) this.#pull();
    });
  }

  async return(): Promise<IteratorResult<EngineEvent>> {
    this.end();
    // Not awaited: a source that waits for its next event would keep its reader here until that event comes.
    this.#source?.return?.().catch(() => undefined);
    return { done: true, value: undefined };
  }

  #pull(): void {
    if (!this.#source || this.#isPulling || this.#pulled || this.#isEnded) return;
    this.#isPulling = true;
    this.#source.next().then(
      (result) => {
        this.#isPulling = false;
        this.#pulled = result;
        this.#deliver();
      },
      (error: unknown) => {
        this.#isPulling = false;
        this.#failure = { error };
        this.#deliver();
      },
    );
  }

  #deliver(): void {
    const waiter = this.#waiter;
    if (!waiter) return;
    if (this.#isEnded) {
      this.#waiter = undefined;
      waiter.resolve({ done: true, value: undefined });
      return;
    }
    const next = this.#take();
    if (!next) return;
    this.#waiter = undefined;
    if ('error' in next) waiter.reject(next.error);
    else {
      waiter.resolve(next);
      if (next.done) this.end();
    }
  }

  #take(): IteratorResult<EngineEvent> | { error: unknown } | undefined {
    const [first] = this.#extra;
    if (first && (this.#hasSnapshot || first.kind === 'thread-snapshot')) {
      this.#extra.shift();
      if (first.kind === 'thread-snapshot') this.#hasSnapshot = true;
      return { done: false, value: { ...first, seq: this.#lastSeq } };
    }
    if (this.#failure) return this.#failure;
    const pulled = this.#pulled;
    if (!pulled) return undefined;
    this.#pulled = undefined;
    if (!pulled.done) {
      this.#hasSnapshot = true;
      this.#lastSeq = pulled.value.seq;
    }
    return pulled;
  }
}
