import type { Clock } from '#lib/clock.ts';

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; callback: () => void }[] = [];
  /** How long each wait was asked to be, in order. */
  readonly waits: number[] = [];

  now(): number {
    return this.#now;
  }

  wait(ms: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    this.waits.push(ms);
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const cancel = this.after(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    while (true) {
      const next = this.#timers.filter((timer) => timer.at <= end).sort((one, two) => one.at - two.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
  }

  get pending(): number {
    return this.#timers.length;
  }
}
