import type { Clock } from '#lib/clock.ts';

/** Calls `onSilent` once when nothing was heard for as long as `limitMs` then says. One timer, however much is heard. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #limitMs: () => number;
  readonly #onSilent: (limitMs: number) => void;
  #heardAt: number;
  #armedFor = 0;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, options: { limitMs: () => number; onSilent: (limitMs: number) => void }) {
    this.#clock = clock;
    this.#limitMs = options.limitMs;
    this.#onSilent = options.onSilent;
    this.#heardAt = clock.now();
    this.#arm(options.limitMs());
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
    // A timer that comes too early looks again; one that would come too late has to be set anew.
    const limit = this.#limitMs();
    if (limit < this.#armedFor) this.#arm(limit);
  }

  stop(): void {
    this.#cancel();
  }

  #arm(ms: number): void {
    this.#cancel();
    this.#armedFor = ms;
    this.#cancel = this.#clock.after(ms, () => this.#check());
  }

  #check(): void {
    const limit = this.#limitMs();
    const left = this.#heardAt + limit - this.#clock.now();
    if (left <= 0) this.#onSilent(limit);
    else this.#arm(left);
  }
}
