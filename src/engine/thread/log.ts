import { errorText } from '#lib/errors.ts';
import type { LogFile } from './log-file.ts';

export type ThreadLogOptions = {
  /** Opens the file at the first write. May throw; it is tried again later. */
  open: () => LogFile;
  /** Bytes of the file that are good; what lies behind them is cut away before the first append. */
  length: number;
  /** Lines that are not on disk yet, e.g. the header; they go with the first append. */
  backlog: readonly string[];
  /** Told once when writing fails, and once when it works again. */
  onTrouble: (text: string) => void;
  onRecovery: () => void;
  /** The file was gone and stands there again, whole. */
  onRestored: () => void;
};

/**
 * The append-only log of one thread. Lines wait until `settle` or `flush` and are written as one; each is whole in
 * the file or not there at all. When the disk refuses, they wait in memory and go out with a later flush: nothing
 * is lost as long as the process lives, and a half-written line is cut away before anything follows it.
 */
export class ThreadLog {
  readonly #options: ThreadLogOptions;
  #file: LogFile | undefined;
  #waiting: string[];
  #length: number;
  #needsCut: boolean;
  #isBegun = false;
  #isInTrouble = false;
  #hasSyncFailed = false;
  #isDirty = false;
  #isClosed = false;

  constructor(options: ThreadLogOptions) {
    this.#options = options;
    this.#waiting = [...options.backlog];
    this.#length = options.length;
    this.#needsCut = options.length > 0;
  }

  /** From here on lines reach the disk. Before, they only gather, so that an unused thread leaves no file. */
  begin(): void {
    this.#isBegun = true;
  }

  append(line: string): void {
    if (!this.#isClosed) this.#waiting.push(line);
  }

  /** As `flush`, but a disk in trouble is not asked again for each line: turn ends and the like do that. */
  settle(): void {
    if (!this.#isInTrouble) this.#write();
  }

  /** Hands every line to the operating system: from here on it survives the end of this process. Never throws. */
  flush(): void {
    if (this.#isInPlace()) this.#write();
  }

  #write(): void {
    if (!this.#isBegun || this.#waiting.length === 0) return;
    const bytes = Buffer.from(this.#waiting.map((line) => `${line}\n`).join(''));
    try {
      this.#file ??= this.#options.open();
      if (this.#needsCut) this.#file.truncate(this.#length);
      this.#needsCut = true;
      this.#file.append(bytes);
      this.#needsCut = false;
    } catch (error) {
      this.#cutBack();
      this.#onFailure(error);
      return;
    }
    this.#length += bytes.length;
    this.#waiting = [];
    this.#isDirty = true;
    if (!this.#isInTrouble) return;
    this.#isInTrouble = false;
    this.#options.onRecovery();
  }

  /** As `flush`, and resolves when the lines survive a power cut too. Never rejects. */
  async sync(): Promise<void> {
    this.flush();
    if (!this.#isDirty || !this.#file) return;
    this.#isDirty = false;
    try {
      await this.#file.sync();
    } catch (error) {
      this.#isDirty = true;
      if (this.#hasSyncFailed) return;
      this.#hasSyncFailed = true;
      this.#options.onTrouble(errorText(error));
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    // A log that was deleted after the last word stays deleted.
    if (this.#isDirty || this.#waiting.length > 0) await this.sync();
    this.#isClosed = true;
    this.#file?.close();
    this.#file = undefined;
  }

  /** A deleted log is written again; false when that cannot be done now. */
  #isInPlace(): boolean {
    try {
      if (!this.#file?.bringBack(this.#length)) return true;
      this.#needsCut = false;
      this.#isDirty = true;
      this.#options.onRestored();
      return true;
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
  }

  #cutBack(): void {
    if (!this.#file || !this.#needsCut) return;
    try {
      this.#file.truncate(this.#length);
      this.#needsCut = false;
    } catch {
      this.#needsCut = true; // The next append cuts first.
    }
  }

  #onFailure(error: unknown): void {
    if (this.#isInTrouble) return;
    this.#isInTrouble = true;
    this.#options.onTrouble(errorText(error));
  }
}
