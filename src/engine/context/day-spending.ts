import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { errnoOf, errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { makeFolder } from '#lib/make-folder.ts';

/**
 * What all sessions of this user have spent on a day, by the local date: one file a day in `spending` of the home
 * folder, one line a call, only ever appended to, so that many processes can write it at once. Where the folder cannot
 * be written, what this process spends counts at least. Never rejects.
 */
export class DaySpending {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #onUnwritten: ((why: string) => void) | undefined;
  #isTold = false;
  /** Dollars of a day that could not be written down. */
  readonly #unwritten = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  /** `onUnwritten` hears once that the file of a day can be written or read no more, and why. */
  constructor({
    home,
    clock,
    onUnwritten,
  }: { home: string; clock: Clock; onUnwritten?: (why: string) => void }) {
    this.#folder = path.join(home, 'spending');
    this.#clock = clock;
    this.#onUnwritten = onUnwritten;
  }

  add(usd: number): void {
    if (!(usd > 0)) return;
    const at = this.#clock.now();
    const day = dayOf(at);
    this.#writing = this.#writing.then(() => this.#write(day, { at, usd }));
  }

  /** Resolves when all that was added is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** US dollars of today. */
  async today(): Promise<number> {
    await this.#writing;
    const day = dayOf(this.#clock.now());
    return (await this.#written(day)) + (this.#unwritten.get(day) ?? 0);
  }

  async #write(day: string, entry: { at: number; usd: number }): Promise<void> {
    try {
      makeFolder(this.#folder);
      // A line that a crash has cut must not take the next one with it.
      await appendFile(this.#fileOf(day), `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch (error) {
      log('what was spent is not written down:', error);
      this.#unwritten.set(day, (this.#unwritten.get(day) ?? 0) + entry.usd);
      this.#tell(error);
    }
  }

  async #written(day: string): Promise<number> {
    try {
      const text = await readFile(this.#fileOf(day), 'utf8');
      return text.split('\n').reduce((sum, line) => sum + usdOf(line), 0);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return 0;
      log('what was spent today cannot be read:', error);
      this.#tell(error);
      return 0;
    }
  }

  #tell(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#onUnwritten?.(errorText(error));
  }

  #fileOf(day: string): string {
    return path.join(this.#folder, `${day}.jsonl`);
  }
}

function usdOf(line: string): number {
  if (line === '') return 0;
  try {
    const { usd } = JSON.parse(line) as { usd?: unknown };
    return typeof usd === 'number' && Number.isFinite(usd) && usd > 0 ? usd : 0;
  } catch {
    return 0; // Half a line of a process that was killed.
  }
}

function dayOf(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
