import type { Tolerance } from '../files/loose-match.ts';
import { type ChunkPlace, findChunk } from './find-chunk.ts';
import type { PatchChunk } from './patch.ts';

type Applied = { text: string; tolerances: Tolerance[] } | { problem: string };

type Change = ChunkPlace & { lines: string[] };

/** Makes the changes of one file in memory. Lines that stay keep their bytes; new ones get the line end `eol`. */
export function applyChunks(
  text: string,
  { chunks, eol }: { chunks: readonly PatchChunk[]; eol: '\n' | '\r\n' },
): Applied {
  const raw = text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  const plain = raw.map((line) => line.replace(/\r?\n$/, ''));
  const changes: Change[] = [];
  let from = 0;
  for (const [index, chunk] of chunks.entries()) {
    const found = findChunk(plain, chunk, from);
    const name = chunks.length === 1 ? '' : `change ${index + 1} of ${chunks.length}: `;
    if ('problem' in found) return { problem: `${name}${found.problem}` };
    changes.push({ ...found, lines: newLines(chunk, { found, raw, plain, eol }) });
    from = found.end;
  }
  const sorted = changes.toSorted((one, two) => one.start - two.start || one.end - two.end);
  let result = '';
  let at = 0;
  for (const { start, end, lines } of sorted) {
    if (start < at) return { problem: `two changes overlap at line ${start + 1}` };
    result += joined(result, raw.slice(at, start).join(''), eol);
    for (const line of lines) result += joined(result, line, eol);
    at = end;
  }
  result += joined(result, raw.slice(at).join(''), eol);
  return {
    text: withFinalBreak(result, { before: text, wanted: chunks.at(-1)?.finalBreak, eol }),
    tolerances: [...new Set(changes.flatMap(({ tolerance }) => tolerance ?? []))],
  };
}

/** What comes behind a last line without a break begins a new one. */
function joined(before: string, next: string, eol: string): string {
  return before !== '' && next !== '' && !before.endsWith('\n') ? eol + next : next;
}

/** The lines of a place after its change; those that stay come from the file, not from the patch. */
function newLines(
  chunk: PatchChunk,
  {
    found,
    raw,
    plain,
    eol,
  }: { found: ChunkPlace; raw: readonly string[]; plain: readonly string[]; eol: string },
): string[] {
  const lines: string[] = [];
  let at = found.start;
  let shift: ((text: string) => string) | undefined;
  for (const { op, text } of chunk.lines) {
    if (op === '+') {
      lines.push((shift ?? firstShift(chunk, { found, plain }))(text) + eol);
      continue;
    }
    // A blank last line of the patch that the file does not have.
    if (at >= found.end) continue;
    if (found.tolerance === 'indentation' && text.trim() !== '') shift = shiftFrom(text, plain[at] ?? '');
    if (op === ' ') lines.push(raw[at] ?? '');
    at += 1;
  }
  return lines;
}

function firstShift(
  chunk: PatchChunk,
  { found, plain }: { found: ChunkPlace; plain: readonly string[] },
): (text: string) => string {
  if (found.tolerance !== 'indentation') return (text) => text;
  const old = chunk.lines.filter(({ op }) => op !== '+');
  const index = old.findIndex(({ text }) => text.trim() !== '');
  return shiftFrom(old[index]?.text ?? '', plain[found.start + index] ?? '');
}

/** How the indent of the patch becomes that of the file, as seen on one line that both have. */
function shiftFrom(given: string, actual: string): (text: string) => string {
  const from = /^[ \t]*/.exec(given)?.[0] ?? '';
  const to = /^[ \t]*/.exec(actual)?.[0] ?? '';
  return (text) => (text.trim() !== '' && text.startsWith(from) ? to + text.slice(from.length) : text);
}

function withFinalBreak(
  text: string,
  { before, wanted, eol }: { before: string; wanted: boolean | undefined; eol: string },
): string {
  const hasBreak = wanted ?? (before === '' || before.endsWith('\n'));
  if (text === '' || text.endsWith('\n') === hasBreak) return text;
  return hasBreak ? text + eol : text.replace(/\r?\n$/, '');
}
