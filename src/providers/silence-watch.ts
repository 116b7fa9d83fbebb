import type { Clock } from '#lib/clock.ts';

/** Calls `onSilent` once when nothing was heard for as long as `limitMs` then says. One timer, however much is heard. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #limitMs: () => number;
  readonly #onSilent: (limitMs: number) => void;
  #heardAt: number;
  #cancel: () => void;

  constructor(clock: Clock, options: { limitMs: () => number; onSilent: (limitMs: number) => void }) {
    this.#clock = clock;
    this.#limitMs = options.limitMs;
    this.#onSilent = options.onSilent;
    this.#heardAt = clock.now();
    this.#cancel = clock.after(options.limitMs(), () => this.#check());
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const limit = this.#limitMs();
    const left = this.#heardAt + limit - this.#clock.now();
    if (left <= 0) this.#onSilent(limit);
    else this.#cancel = this.#clock.after(left, () => this.#check());
  }
}
