/**
 * A queue from one pusher to one reader. `merge` may join a new item into the last one that still waits
 * (return the joined item) so that a slow reader is not flooded; return undefined to keep both.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #head = 0;
  #wake: (() => void) | undefined;
  #isClosed = false;
  readonly #merge: (last: T, next: T) => T | undefined;
  readonly #onReturn: () => void;

  constructor(options: { merge?: (last: T, next: T) => T | undefined; onReturn?: () => void } = {}) {
    this.#merge = options.merge ?? (() => undefined);
    this.#onReturn = options.onReturn ?? (() => undefined);
  }

  push(item: T): void {
    if (this.#isClosed) return;
    const lastIndex = this.#items.length - 1;
    const last = this.#items[lastIndex];
    const joined = lastIndex >= this.#head && last !== undefined ? this.#merge(last, item) : undefined;
    if (joined === undefined) this.#items.push(item);
    else this.#items[lastIndex] = joined;
    this.#wake?.();
  }

  /** What waits is still read; then the iteration ends. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      while (true) {
        while (this.#head < this.#items.length) {
          const item = this.#items[this.#head] as T;
          this.#head += 1;
          if (this.#head === this.#items.length || this.#head > 1_024) {
            this.#items = this.#items.slice(this.#head);
            this.#head = 0;
          }
          yield item;
        }
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.#isClosed = true;
      this.#onReturn();
    }
  }
}
