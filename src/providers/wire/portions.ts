import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '#lib/clock.ts';

/** So long running text is gathered before it goes on. Shorter than a frame of the screen, so nobody sees it wait. */
const gatherMs = 45;
/** More than this goes on before the rest is read: a flood must show too. */
const portionBytes = 32_000;

export type Portion = { chunks: readonly Uint8Array[]; isEnd: boolean };
type Chunk = { done: boolean; value?: Uint8Array | undefined };

/** Reads a body in portions: all that is there at a time, and at a fast model's pace not more often than is of use. */
export class PortionReader {
  readonly #read: () => Promise<Chunk>;
  readonly #clock: Clock;
  #next: Promise<Chunk> | undefined;
  #notBefore = 0;
  /** There was more to read than one portion takes. */
  #isFlood = false;

  /** `first` is what was read already. `read` never rejects. */
  constructor(
    read: () => Promise<Chunk>,
    { first, clock = systemClock }: { first?: Uint8Array | undefined; clock?: Clock } = {},
  ) {
    this.#read = read;
    this.#clock = clock;
    if (first) this.#next = Promise.resolve({ done: false, value: first });
  }

  async next(): Promise<Portion> {
    const wait = this.#notBefore - this.#clock.now();
    // A clock that was set back must not hold up the answer.
    if (wait > 0) await this.#clock.wait(Math.min(wait, gatherMs));
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let chunk: Chunk | undefined = await this.#take();
    while (chunk && !chunk.done) {
      if (chunk.value) chunks.push(chunk.value);
      bytes += chunk.value?.length ?? 0;
      chunk = bytes < portionBytes ? await this.#takeWhatIsThere() : undefined;
    }
    this.#isFlood = bytes >= portionBytes;
    return { chunks, isEnd: chunk?.done === true };
  }

  /** The last portion was nothing but running text: the next one can gather for a moment, unless it is there. */
  gather(): void {
    if (this.#isFlood) return;
    this.#notBefore = this.#clock.now() + gatherMs;
  }

  async #take(): Promise<Chunk> {
    this.#next ??= this.#read();
    const chunk = await this.#next;
    this.#next = undefined;
    return chunk;
  }

  async #takeWhatIsThere(): Promise<Chunk | undefined> {
    this.#next ??= this.#read();
    const chunk = await Promise.race([this.#next, setImmediate(undefined)]);
    if (chunk) this.#next = undefined;
    return chunk;
  }
}
