import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { errnoOf, errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { makeFolder } from '#lib/make-folder.ts';
import type { JsonValue } from '#protocol/json.ts';
import { type CassetteLine, cassetteVersion, type NewLine } from './cassette.ts';
import type { Scrubber } from './scrubber.ts';

type RecorderOptions = { file: string; llmcode: string; clock: Clock; scrubber: Scrubber };

/**
 * Writes one cassette. Each line is scrubbed, then handed to the system whole before the call returns: what a crash
 * leaves can be read up to its last line. A disk that refuses ends the recording, never the session.
 */
export class Recorder {
  readonly file: string;
  readonly scrubber: Scrubber;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #fd: number | undefined;
  #requests = 0;
  #bytes = 0;
  /** Ends answers that still run, so that what came of them is written. */
  readonly #open = new Set<() => void>();
  #problem: string | undefined;

  /** Throws when the file cannot be made. An existing file is left alone: the next free name is taken. */
  constructor({ file, llmcode, clock, scrubber }: RecorderOptions) {
    this.scrubber = scrubber;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const made = makeFile(file);
    this.file = made.file;
    this.#fd = made.fd;
    this.#append({ kind: 'cassette', version: cassetteVersion, llmcode, recordedAt: this.#startedAt });
  }

  /** Milliseconds since the recording began. */
  get now(): number {
    return this.#clock.now() - this.#startedAt;
  }

  get requests(): number {
    return this.#requests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Why nothing more is written, once that is so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The number of the next request. */
  nextRequest(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Never throws. */
  write(line: NewLine): void {
    this.#append({ ...line, at: this.now } as CassetteLine);
  }

  /** `end` is called when the recording closes before the answer does. */
  track(end: () => void): () => void {
    this.#open.add(end);
    return () => this.#open.delete(end);
  }

  close(): void {
    for (const end of [...this.#open]) end();
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #append(line: CassetteLine): void {
    if (this.#fd === undefined) return;
    try {
      const bytes = Buffer.from(`${JSON.stringify(this.scrubber.value(line as JsonValue))}\n`);
      let written = 0;
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      this.#bytes += bytes.length;
    } catch (error) {
      log('the recording ended:', error);
      this.#problem = errorText(error);
      closeSync(this.#fd);
      this.#fd = undefined;
    }
  }
}

function makeFile(wanted: string): { file: string; fd: number } {
  makeFolder(path.dirname(wanted));
  const { dir, name, ext } = path.parse(wanted);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? wanted : path.join(dir, `${name}-${number}${ext}`);
    try {
      return { file, fd: openSync(file, 'ax', 0o600) };
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}
