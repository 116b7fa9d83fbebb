import { textWidth } from '#lib/text-width.ts';

const alternateScreen = '\x1b[?1049h';
const syncMarks = /\x1b\[\?2026[hl]/g;

/**
 * Holds back what Ink writes until it shows all that the boot stage shows already, and lays that over it, row by row
 * in one piece: an erased screen would flash, a prompt without the keys that were typed would flicker.
 */
export class HandOver {
  readonly #write: (text: string) => unknown;
  readonly #columns: number;
  #held: string[] | undefined = [];

  constructor(write: (text: string) => unknown, { columns }: { columns: number }) {
    this.#write = write;
    this.#columns = columns;
  }

  /** True when it keeps the text. */
  takes(text: string | Uint8Array): boolean {
    this.#held?.push(typeof text === 'string' ? text : Buffer.from(text).toString());
    return this.#held !== undefined;
  }

  release(): void {
    if (!this.#held) return;
    const text = this.#held.join('');
    this.#held = undefined;
    const rows = text.replace(alternateScreen, '').replaceAll(syncMarks, '').split('\n');
    const last = rows.pop() ?? '';
    // Behind a full row the cursor stands on its last cell.
    const whole = rows.map((row) => `${row}${textWidth(row) < this.#columns ? '\x1b[K' : ''}\n`);
    this.#write(`\x1b[?2026h\x1b[H${whole.join('')}${last}\x1b[?2026l`);
  }
}
