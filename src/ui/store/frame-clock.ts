import type { Clock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';

const frameMs = 50;
const slowestFrameMs = 400;
const slowPaintMs = 16;
const quickPaintsToRecover = 10;

/**
 * Paces publishing: the first change after a pause is published at once, then one publish in each interval. When
 * painting is slow twice in a row the interval doubles, and it halves again after some quick paints.
 * No timer runs while nothing changes.
 */
export class FrameClock {
  readonly #clock: Clock;
  readonly #publish: () => void;
  #intervalMs = frameMs;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #slowPaints = 0;
  #quickPaints = 0;

  constructor(options: { clock: Clock; publish: () => void }) {
    this.#clock = options.clock;
    this.#publish = options.publish;
  }

  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Something changed. */
  request(): void {
    if (this.#cancel) return;
    const wait = this.#lastAt + this.#intervalMs - this.#clock.now();
    if (wait <= 0) {
      this.flush();
      return;
    }
    // A clock that was set back must not hold the screen for longer than a frame.
    this.#cancel = this.#clock.after(Math.min(wait, this.#intervalMs), () => this.flush());
  }

  /** Publishes now, whatever the pace. */
  flush(): void {
    this.stop();
    this.#lastAt = this.#clock.now();
    this.#publish();
  }

  /** Forgets a publish that waits. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** How long the last paint took. */
  reportPaint(paintMs: number): void {
    if (paintMs <= slowPaintMs) {
      this.#slowPaints = 0;
      this.#quickPaints += 1;
      if (this.#quickPaints >= quickPaintsToRecover && this.#intervalMs > frameMs)
        this.#setInterval(this.#intervalMs / 2);
      return;
    }
    this.#quickPaints = 0;
    this.#slowPaints += 1;
    if (this.#slowPaints >= 2 && this.#intervalMs < slowestFrameMs) this.#setInterval(this.#intervalMs * 2);
  }

  #setInterval(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#slowPaints = 0;
    this.#quickPaints = 0;
    log(`screen: one frame in ${intervalMs} ms`);
  }
}
