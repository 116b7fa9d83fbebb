import { Readable } from 'node:stream';
import { type Clock, systemClock } from '#lib/clock.ts';
import { createTapParser, type TapEvent, type TapOutput } from './tap-parser.ts';

/** What the tap needs of `process.stdin`. */
export type TapSource = NodeJS.ReadableStream & {
  isTTY?: boolean;
  setRawMode?: (enabled: boolean) => unknown;
  ref?: () => unknown;
  unref?: () => unknown;
};

/** Escape, Alt+[ and Alt+] are keys too and wait no longer than this for the rest of a report. */
const keyWaitMs = 10;
/** More than that can only be a report; on a slow line its pieces come far apart. */
const reportWaitMs = 300;

/**
 * Stands between the terminal and Ink: takes mouse reports, focus reports and replies to our queries out of the
 * input, and passes everything else on untouched, however the bytes are split. Reads only while raw mode is on,
 * so that an editor or a shell in between gets its own keys.
 */
export class InputTap extends Readable {
  readonly isTTY: boolean;
  readonly #source: TapSource;
  readonly #clock: Clock;
  readonly #parser = createTapParser();
  readonly #listeners = new Set<(event: TapEvent) => void>();
  readonly #onData = (chunk: Buffer | string) => this.feed(chunk);
  readonly #onEnd = () => this.push(null);
  #cancelWait: (() => void) | undefined;
  /** Without the mouse terminals send the wheel as arrow keys. */
  readsWheelKeys = false;

  constructor(source: TapSource, options: { clock?: Clock } = {}) {
    super();
    this.#source = source;
    this.#clock = options.clock ?? systemClock;
    this.isTTY = source.isTTY ?? false;
    source.on('data', this.#onData);
    source.on('end', this.#onEnd);
  }

  /** Calls back for each report; returns how to stop. */
  onEvent(listener: (event: TapEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes input, also such as was read before the tap was there. */
  feed(chunk: Buffer | string): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const notches = this.readsWheelKeys && this.#parser.pendingLength() === 0 ? wheelNotches(chunk) : [];
    if (notches.length > 0) {
      this.#deliver({ text: '', events: notches });
      return;
    }
    this.#deliver(this.#parser.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk));
    const held = this.#parser.pendingLength();
    if (held === 0) return;
    this.#cancelWait = this.#clock.after(held > 2 ? reportWaitMs : keyWaitMs, () => {
      this.#cancelWait = undefined;
      this.#deliver(this.#parser.flush());
    });
  }

  setRawMode(enabled: boolean): this {
    this.#source.setRawMode?.(enabled);
    if (enabled) this.#source.resume();
    else this.#source.pause();
    return this;
  }

  ref(): this {
    this.#source.ref?.();
    return this;
  }

  unref(): this {
    this.#source.unref?.();
    return this;
  }

  /** Lets go of the source and stops it, so that another program gets the terminal. */
  close(): void {
    this.#cancelWait?.();
    this.#source.off('data', this.#onData);
    this.#source.off('end', this.#onEnd);
    this.#source.pause();
    this.#listeners.clear();
  }

  override _read(): void {
    // Input is pushed as it comes: nobody types faster than this is read.
  }

  #deliver({ text, events }: TapOutput): void {
    if (text !== '') this.push(Buffer.from(text, 'latin1'));
    for (const event of events) for (const listener of [...this.#listeners]) listener(event);
  }
}

/** A notch of the wheel is this many arrow keys in most terminals. */
const keysPerNotch = 3;
const wheelKeys = /^(?:(?:\x1b\[A|\x1bOA){3,}|(?:\x1b\[B|\x1bOB){3,})$/;

/** Three times the same arrow and nothing else in one read is the wheel: a key that is held down comes one by one. */
function wheelNotches(chunk: Buffer | string): TapEvent[] {
  const text = typeof chunk === 'string' ? chunk : chunk.toString('latin1');
  if (!wheelKeys.test(text)) return [];
  const direction = text.endsWith('A') ? 'up' : 'down';
  const count = Math.round(text.length / 3 / keysPerNotch);
  return Array.from({ length: count }, () => ({ kind: 'wheel', direction, column: 0, row: 0 }));
}
