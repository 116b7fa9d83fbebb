import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { cleanOutput } from '#lib/clean-output.ts';
import { count, size } from '../result/words.ts';

/** What the model gets of a long output: its beginning and its end. */
const mostHeadChars = 6_000;
const mostTailChars = 16_000;
/** What is said between the two, and after them. */
const noteChars = 500;
/** What a screen gets. */
const viewLines = 200;
const viewChars = 16_000;
/** The whole output is kept up to here. */
const fileBytes = 50_000_000;

type OutputTail = { output: string; omittedLines: number; outputPath?: string };

/**
 * The output of one command in bounded memory. What is too long for the model goes to `file` as it comes, up to a
 * size; a file that cannot be written costs the rest, never the command.
 */
export function createCommandOutput(file: string, { maxChars }: { maxChars: number }) {
  const wholeChars = Math.min(mostHeadChars + mostTailChars, Math.max(500, maxChars - noteChars));
  const headChars = Math.min(mostHeadChars, Math.floor(wholeChars / 3));
  const tailChars = wholeChars - headChars;
  let head = '';
  /** The last characters in pieces; more than needed, cut back now and then. */
  let tail: string[] = [];
  let tailLength = 0;
  let chars = 0;
  let lines = 0;
  let endsLine = true;
  const spill = createSpillFile(file);

  const joinTail = (): string => {
    const text = tail.join('').slice(-mostTailChars);
    tail = [text];
    tailLength = text.length;
    return text;
  };

  return {
    push(text: string): void {
      const wasLong = chars > wholeChars;
      chars += text.length;
      lines += countLineEnds(text);
      endsLine = text.endsWith('\n');
      if (chars > wholeChars) spill.write(wasLong ? text : head + text);
      // Until it is long, `head` holds everything.
      if (head.length < wholeChars) head += text.slice(0, wholeChars - head.length);
      tail.push(text.length > mostTailChars ? text.slice(-mostTailChars) : text);
      tailLength += text.length;
      if (tailLength > mostTailChars * 8) joinTail();
    },

    chars: () => chars,
    lineCount: () => lines + (endsLine ? 0 : 1),

    tail(): OutputTail {
      const output = lastLines(joinTail());
      const shown = countLineEnds(output) + (output === '' || output.endsWith('\n') ? 0 : 1);
      const omittedLines = Math.max(0, this.lineCount() - shown);
      const outputPath = spill.path();
      return { output, omittedLines, ...(outputPath === undefined ? {} : { outputPath }) };
    },

    forModel(): string {
      if (chars <= wholeChars) return cleanOutput(head).replace(/^\n+/, '').trimEnd();
      const first = wholeLinesOf(head.slice(0, headChars), 'start');
      const last = wholeLinesOf(joinTail().slice(-tailChars), 'end');
      return `${cleanOutput(first)}\n[… left out here: output of ${count(this.lineCount(), 'line')}, ${size(chars)} in all. ${spill.note()}]\n${cleanOutput(last).trimEnd()}`;
    },

    close: spill.close,
  };
}

function createSpillFile(file: string) {
  let descriptor: number | undefined;
  let state: 'unused' | 'open' | 'full' | 'failed' = 'unused';
  let written = 0;

  const open = () => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    descriptor = openSync(file, 'w', 0o600);
    state = 'open';
  };

  return {
    write(text: string): void {
      if (state === 'full' || state === 'failed') return;
      try {
        if (state === 'unused') open();
        const bytes = Buffer.from(text).subarray(0, fileBytes - written);
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

/** By character: in dense output a search from newline to newline is many times slower. */
function countLineEnds(text: string): number {
  let number = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 10) number += 1;
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
