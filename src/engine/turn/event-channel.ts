import type { EventBody } from '#protocol/event.ts';

/**
 * From the many parts of a turn that run at once to the one generator that yields its events. A sender may wait
 * until its event was taken, that is numbered and logged, before it acts on it.
 */
export class EventChannel {
  #waiting: { body: EventBody; taken?: () => void }[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  /** Resolves when the reader has come back for the next event, or reads no more. */
  send(body: EventBody): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting.push({ body, taken });
      this.#wake?.();
    });
  }

  /** For deltas, on which nothing acts. */
  push(body: EventBody): void {
    if (this.#isClosed) return;
    this.#waiting.push({ body });
    this.#wake?.();
  }

  /** What was sent before is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *drain(): AsyncGenerator<EventBody, void> {
    try {
      while (true) {
        const batch = this.#waiting;
        this.#waiting = [];
        for (const { body, taken } of batch) {
          yield body;
          taken?.();
        }
        if (this.#waiting.length > 0) continue;
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.#isClosed = true;
      for (const { taken } of this.#waiting) taken?.();
      this.#waiting = [];
    }
  }
}
