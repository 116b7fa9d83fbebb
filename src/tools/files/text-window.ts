import type { FileHandle } from 'node:fs/promises';

/** `maxChars`: of all lines, their numbers and ends included. */
export type LineRange = { offset: number; limit: number; maxChars: number };

export type TextWindow = {
  /** Lines from `range.offset` on, without their ends. */
  lines: string[];
  /** Lines of the whole file; null when reading stopped before its end. */
  total: number | null;
};

const maxLineChars = 2_000;
const chunkBytes = 1_048_576;

/** The wanted lines of a text, up to a size that a tool result can hold. At least one line. */
export function windowOf(text: string, range: LineRange): TextWindow {
  const collector = createCollector(range);
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    collector.add(text.slice(start, end === -1 ? text.length : end));
    start = end === -1 ? text.length : end + 1;
  }
  return { lines: collector.lines, total: collector.seen() };
}

/** The same for a file too large to be held in memory. Stops once it has the lines. */
export async function windowOfFile(
  handle: FileHandle,
  { encoding, ...range }: LineRange & { encoding: string },
  signal: AbortSignal,
): Promise<TextWindow> {
  const collector = createCollector(range);
  const decoder = new TextDecoder(encoding);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let rest = '';
  let position = 0;
  while (!collector.isFull() && !signal.aborted) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) {
      if (rest !== '') collector.add(rest);
      return { lines: collector.lines, total: collector.seen() };
    }
    position += bytesRead;
    const parts = decoder.decode(buffer.subarray(0, bytesRead), { stream: true }).split('\n');
    parts[0] = rest + (parts[0] ?? '');
    // Of an endless line only the beginning will be shown.
    rest = (parts.pop() ?? '').slice(0, maxLineChars + 1);
    for (const line of parts) {
      collector.add(line);
      if (collector.isFull()) break;
    }
  }
  return { lines: collector.lines, total: null };
}

function createCollector({ offset, limit, maxChars }: LineRange) {
  const lines: string[] = [];
  let seen = 0;
  let chars = 0;
  let isFull = false;
  return {
    lines,
    seen: () => seen,
    isFull: () => isFull,
    add(raw: string): void {
      seen += 1;
      if (seen < offset || isFull) return;
      const line = shortened(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
      chars += String(seen).length + line.length + 2;
      if (lines.length > 0 && chars > maxChars) isFull = true;
      else lines.push(line);
      if (lines.length >= limit) isFull = true;
    },
  };
}

function shortened(line: string): string {
  if (line.length <= maxLineChars) return line;
  const end = /[\ud800-\udbff]/.test(line.charAt(maxLineChars - 1)) ? maxLineChars - 1 : maxLineChars;
  return `${line.slice(0, end)} [… line cut after ${end} characters]`;
}
