import type { Clock } from '#lib/clock.ts';

/**
 * The time of a replay: what was recorded takes as long as it did, divided by `speed`; with speed 0 no time at all.
 * It stands still before what the person did next, until that was done again.
 */
export class Pace {
  readonly speed: number;
  readonly #clock: Clock;
  /** What is due in the replay and waits for its time. */
  #waiting = 0;
  #barrier = Number.POSITIVE_INFINITY;
  #moved = Promise.withResolvers<void>();

  constructor({ speed, clock }: { speed: number; clock: Clock }) {
    this.speed = speed;
    this.#clock = clock;
  }

  /** True while something is on its way: the replay has not come to a standstill. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  async wait(ms: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    this.#waiting += 1;
    try {
      if (this.speed === 0) await new Promise((resolve) => setImmediate(resolve));
      else if (ms > 0) await this.#clock.wait(ms / this.speed, signal ? { signal } : {});
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Nothing that was recorded later than `at` happens until the barrier is moved on. */
  setBarrier(at: number): void {
    this.#barrier = at;
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  /** Resolves when what was recorded at this time may happen, or when `signal` aborts. */
  async passed(at: number, signal: AbortSignal | undefined): Promise<void> {
    if (at <= this.#barrier || signal?.aborted) return;
    const stop = Promise.withResolvers<void>();
    const onAbort = () => stop.resolve();
    signal?.addEventListener('abort', onAbort, { once: true });
    while (at > this.#barrier && !signal?.aborted) await Promise.race([this.#moved.promise, stop.promise]);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The clock of a replayed session: only deliberate waits, e.g. before a retry, go at its pace; limits stay. */
export function pacedClock(clock: Clock, pace: Pace): Clock {
  return {
    now: () => clock.now(),
    after: (ms, callback) => clock.after(ms, callback),
    wait: (ms, options) => pace.wait(ms, options),
  };
}
