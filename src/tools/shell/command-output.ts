import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { cleanOutput } from '#lib/clean-output.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { count, size } from '../result/words.ts';

/** What the model gets of a long output: its beginning and its end. */
const mostHeadChars = 6_000;
const mostTailChars = 16_000;
/** What is said between the two, and after them. */
const noteChars = 500;
/** What a screen gets. */
const viewLines = 200;
const viewChars = 16_000;
/** UTF-8 needs at most so many for one unit of a string. */
const mostBytesPerUnit = 3;
const tailBytes = mostTailChars * mostBytesPerUnit;
const lineEnd = 10;
/** The whole output is kept up to here. */
const fileBytes = 50_000_000;

type OutputTail = { output: string; omittedLines: number; outputPath?: string };

/**
 * The output of one command in bounded memory, as bytes: of much only the two ends are ever decoded. What is too long for the model goes to `file` as it comes, up to a
 * size; a file that cannot be written costs the rest, never the command. Secrets stay in that file, which only the
 * person can open: looking for them would take ten times as long as a fast command. They are hidden on every way from
 * the file to the model: `read_file` below that folder, search, and what a command prints.
 */
export function createCommandOutput(file: string, { maxChars }: { maxChars: number }) {
  const wholeChars = Math.min(mostHeadChars + mostTailChars, Math.max(500, maxChars - noteChars));
  const headChars = Math.min(mostHeadChars, Math.floor(wholeChars / 3));
  const tailChars = wholeChars - headChars;
  const headBytes = wholeChars * mostBytesPerUnit;
  const head: Uint8Array[] = [];
  const tail = createRing(tailBytes);
  let bytes = 0;
  let lines = 0;
  let endsLine = true;
  /** Until then the rest of a character may still come. */
  let isClosed = false;
  const spill = createSpillFile(file);

  const tailText = (): string => decoded(tail.bytes()).slice(-mostTailChars);
  /** All of it; undefined when that is too much for the model. */
  const wholeText = (): string | undefined => {
    if (bytes > headBytes) return undefined;
    const decoder = new StringDecoder('utf8');
    const text = decoder.write(Buffer.concat(head)) + (isClosed ? decoder.end() : '');
    return text.length > wholeChars ? undefined : text;
  };

  return {
    push(chunk: Uint8Array): void {
      if (chunk.length === 0) return;
      // Until it is long, `head` holds everything.
      if (bytes + chunk.length > wholeChars) {
        if (bytes <= wholeChars) for (const piece of head) spill.write(piece);
        spill.write(chunk);
      }
      if (bytes < headBytes) head.push(copyOf(chunk.subarray(0, headBytes - bytes)));
      bytes += chunk.length;
      lines += countLineEnds(chunk);
      endsLine = chunk.at(-1) === lineEnd;
      tail.push(chunk);
    },

    bytes: () => bytes,
    lineCount: () => lines + (endsLine ? 0 : 1),

    tail(): OutputTail {
      const output = lastLines(tailText());
      const shown = output.split('\n').length - (output === '' || output.endsWith('\n') ? 1 : 0);
      const omittedLines = Math.max(0, this.lineCount() - shown);
      const outputPath = spill.path();
      return { output, omittedLines, ...(outputPath === undefined ? {} : { outputPath }) };
    },

    forModel(): string {
      const whole = wholeText();
      if (whole !== undefined) return cleanOutput(whole).replace(/^\n+/, '').trimEnd();
      const first = wholeLinesOf(decoded(Buffer.concat(head)).slice(0, headChars), 'start');
      const last = wholeLinesOf(tailText().slice(-tailChars), 'end');
      return `${cleanOutput(first)}\n[… left out here: output of ${count(this.lineCount(), 'line')}, ${size(bytes)} in all. ${spill.note()}]\n${cleanOutput(last).trimEnd()}`;
    },

    close(): void {
      isClosed = true;
      spill.close();
    },
  };
}

/** Of bytes that are good only for the moment. */
function copyOf(chunk: Uint8Array): Uint8Array {
  return new Uint8Array(chunk);
}

/** The last `size` bytes of all that was pushed. */
function createRing(size: number) {
  let ring: Buffer | undefined;
  /** Where the next byte goes. */
  let at = 0;
  let isFull = false;
  return {
    push(chunk: Uint8Array): void {
      ring ??= Buffer.allocUnsafe(size);
      const last = chunk.subarray(-size);
      const room = size - at;
      ring.set(last.subarray(0, room), at);
      ring.set(last.subarray(room), 0);
      isFull ||= last.length >= room;
      at = (at + last.length) % size;
    },
    bytes(): Buffer {
      if (!ring) return Buffer.alloc(0);
      return isFull ? Buffer.concat([ring.subarray(at), ring.subarray(0, at)]) : ring.subarray(0, at);
    },
  };
}

/** Without the parts of characters that a cut left at the two ends. */
function decoded(bytes: Buffer): string {
  let from = 0;
  while (from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return new StringDecoder('utf8').write(bytes.subarray(from));
}

function createSpillFile(file: string) {
  let descriptor: number | undefined;
  let state: 'unused' | 'open' | 'full' | 'failed' = 'unused';
  let written = 0;

  const open = () => {
    makeFolder(path.dirname(file));
    descriptor = openSync(file, 'w', 0o600);
    state = 'open';
  };

  return {
    write(chunk: Uint8Array): void {
      if (state === 'full' || state === 'failed') return;
      try {
        if (state === 'unused') open();
        const bytes = chunk.subarray(0, fileBytes - written);
        if (descriptor !== undefined) writeSync(descriptor, bytes);
        written += bytes.length;
        if (written >= fileBytes) state = 'full';
      } catch {
        state = 'failed'; // A full disk: the command goes on, and `note` says what is missing.
      }
    },
    path: () => (written > 0 ? file : undefined),
    note(): string {
      if (state === 'failed') return 'The rest could not be kept on disk.';
      const which = state === 'full' ? `Its first ${size(fileBytes)} are` : 'All of it is';
      return `${which} in ${file}: use grep_search or read_file with offset on it.`;
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Four bytes at a time: a search from line end to line end is many times slower in dense output. */
function countLineEnds(chunk: Uint8Array): number {
  const { buffer, byteOffset, length } = chunk;
  const lead = Math.min(length, -byteOffset & 3);
  const words = new Int32Array(buffer, byteOffset + lead, (length - lead) >> 2);
  let number = 0;
  for (let at = 0; at < lead; at += 1) if (chunk[at] === lineEnd) number += 1;
  for (let at = 0; at < words.length; at += 1) {
    // A byte is 0 where it was a line end; then only its highest bit stays set.
    const other = (words[at] ?? 0) ^ 0x0a0a0a0a;
    const ends = ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f);
    if (ends !== 0) number += Math.imul(ends >>> 7, 0x01010101) >>> 24;
  }
  for (let at = lead + words.length * 4; at < length; at += 1) if (chunk[at] === lineEnd) number += 1;
  return number;
}

function lastLines(text: string): string {
  let start = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let number = 0; number < viewLines && start > 0; number += 1)
    start = text.lastIndexOf('\n', start - 1);
  const lines = text.slice(Math.max(0, start + (start > 0 || text.startsWith('\n') ? 1 : 0)));
  return withoutHalf(lines.slice(-viewChars));
}

/** Cut at a line where there is one, else at a whole character. */
function wholeLinesOf(text: string, side: 'start' | 'end'): string {
  if (side === 'start') {
    const end = text.lastIndexOf('\n');
    return end > 0 ? text.slice(0, end) : withoutHalf(text);
  }
  const start = text.indexOf('\n');
  return start !== -1 && start < text.length / 2 ? text.slice(start + 1) : withoutHalf(text);
}

/** Without the half of a pair that a cut left at either end. */
function withoutHalf(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
