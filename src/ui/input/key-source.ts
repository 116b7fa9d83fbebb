import { EventEmitter } from 'node:events';
import type { Clock } from '#lib/clock.ts';
import type { TapSource } from '../terminal/input-tap.ts';
import { rewriteFunctionKeys, unfinishedFunctionKey } from './function-keys.ts';

/** A paste whose end does not come is ended after this time without a byte: else no key would work any more. */
const lostEndMs = 2_000;
/** The start of a sequence waits this long for its rest. */
const restMs = 10;

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** xterm's own way to write a modified key; Ink knows only the newer `CSI code ; modifiers u`. */
const xtermKey = /\x1b\[27;(\d{1,3});(\d{1,7})~/g;
const unfinishedXtermKey = /\x1b\[(?:2(?:7(?:;\d{0,3}(?:;\d{0,7})?)?)?)?$/;

/** The terminal's input with the quirks taken out that would lose keys. Bytes go on as they come. */
export class KeySource extends EventEmitter {
  readonly isTTY: boolean;
  readonly #source: TapSource;
  readonly #clock: Clock;
  #held = '';
  #tail = '';
  #isPasting = false;
  #cancelWait: (() => void) | undefined;

  constructor(source: TapSource, { clock }: { clock: Clock }) {
    super();
    this.#source = source;
    this.#clock = clock;
    this.isTTY = source.isTTY ?? false;
    source.on('data', this.#onData);
    source.on('end', this.#onEnd);
  }

  setRawMode(enabled: boolean): this {
    this.#source.setRawMode?.(enabled);
    return this;
  }

  resume(): this {
    this.#source.resume();
    return this;
  }

  pause(): this {
    this.#source.pause();
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

  close(): void {
    this.#cancelWait?.();
    this.#source.off('data', this.#onData);
    this.#source.off('end', this.#onEnd);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const text = this.#held + Buffer.from(chunk as Buffer).toString('latin1');
    const seen = this.#escapeBefore() + text;
    const cut = this.#isPasting ? null : (unfinishedXtermKey.exec(seen) ?? unfinishedFunctionKey.exec(seen));
    this.#held = cut ? text.slice(-cut[0].length) : '';
    this.#emitText(text.slice(0, text.length - this.#held.length));
    if (this.#held !== '') this.#cancelWait = this.#clock.after(restMs, this.#flush);
    else if (this.#isPasting) this.#cancelWait = this.#clock.after(lostEndMs, this.#endPaste);
  };

  readonly #onEnd = (): void => {
    this.#flush();
    this.emit('end');
  };

  readonly #flush = (): void => {
    const held = this.#held;
    this.#held = '';
    this.#emitText(held);
  };

  readonly #endPaste = (): void => {
    this.#isPasting = false;
    this.#tail = '';
    this.emit('data', Buffer.from(pasteEnd, 'latin1'));
  };

  #emitText(text: string): void {
    if (text === '') return;
    const before = this.#escapeBefore();
    const isPaste = this.#isPasting || text.includes(pasteStart);
    const rewritten = isPaste
      ? text
      : rewriteFunctionKeys((before + text).replaceAll(xtermKey, '\x1b[$2;$1u')).slice(before.length);
    this.#watchPaste(text);
    this.emit('data', Buffer.from(rewritten, 'latin1'));
  }

  /** A lone escape is never held back, so what follows may belong to it. */
  #escapeBefore(): string {
    return this.#tail.endsWith('\x1b') ? '\x1b' : '';
  }

  /** The newest mark tells whether a paste is under way; a mark may lie across two reads. */
  #watchPaste(text: string): void {
    const seen = this.#tail + text;
    const start = seen.lastIndexOf(pasteStart);
    const end = seen.lastIndexOf(pasteEnd);
    if (start !== end) this.#isPasting = start > end;
    this.#tail = seen.slice(1 - pasteStart.length);
  }
}
