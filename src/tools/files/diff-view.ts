import { diffArrays } from 'diff';
import type { DiffHunk, DiffLine, DiffView } from '#protocol/tool-view.ts';

const contextLines = 3;
const maxViewLines = 400;
const maxLineChars = 2_000;
/** Beyond these the changed middle is shown as removed and added whole. */
const maxEdits = 3_000;
const timeoutMs = 150;

/**
 * The change from one text to another as hunks, bounded in size. `before` null = the file is new. Only what lies
 * between the common beginning and end is split and compared, so a small change in a big file costs little.
 */
export function diffView(options: {
  path: string;
  before: string | null;
  after: string;
  /** How much at both ends is known to be the same, so that it need not be compared. */
  same?: SameEnds | undefined;
}): DiffView {
  const before = options.before ?? '';
  const { after, same = { head: 0, tail: 0 } } = options;
  const start = lineStartBefore(before, commonPrefix(before, after, same.head));
  const tail = commonTail(before, after, { start, same: same.tail });
  const changed = compare(
    linesOf(before.slice(start, before.length - tail)),
    linesOf(after.slice(start, after.length - tail)),
  );
  const lead = lastLines(before.slice(0, start));
  const lines = [
    ...lead.map((text) => line(' ', text)),
    ...changed,
    ...firstLines(before, before.length - tail).map((text) => line(' ', text)),
  ];
  const firstNumber = countLineEnds(before, start) + 1 - lead.length;
  const { hunks, omittedLines } = cut(hunksOf(lines, firstNumber));
  return {
    kind: 'diff',
    path: options.path,
    change: options.before === null ? 'create' : 'modify',
    hunks,
    added: changed.filter(({ op }) => op === '+').length,
    removed: changed.filter(({ op }) => op === '-').length,
    ...(omittedLines > 0 ? { omittedLines } : {}),
  };
}

/** Characters at the beginning and at the end. */
export type SameEnds = { head: number; tail: number };

/** `+3 −2` */
export function diffSummary({ added, removed }: Pick<DiffView, 'added' | 'removed'>): string {
  return `+${added} −${removed}`;
}

function line(op: DiffLine['op'], text: string): DiffLine {
  const plain = text.endsWith('\r') ? text.slice(0, -1) : text;
  return { op, text: plain.length > maxLineChars ? `${plain.slice(0, maxLineChars)}…` : plain };
}

/** Halving compares long equal stretches at memory speed. */
function commonPrefix(a: string, b: string, known: number): number {
  let same = known;
  let limit = Math.min(a.length, b.length);
  while (same < limit) {
    const middle = Math.ceil((same + limit) / 2);
    if (a.slice(same, middle) === b.slice(same, middle)) same = middle;
    else limit = middle - 1;
  }
  return same;
}

/** Length of the common end that starts with a whole line and does not reach before `start`. */
function commonTail(a: string, b: string, { start, same: known }: { start: number; same: number }): number {
  let limit = Math.min(a.length, b.length) - start;
  let same = Math.min(known, limit);
  while (same < limit) {
    const middle = Math.ceil((same + limit) / 2);
    const isSame =
      a.slice(a.length - middle, a.length - same) === b.slice(b.length - middle, b.length - same);
    if (isSame) same = middle;
    else limit = middle - 1;
  }
  const at = a.length - same;
  const isLineStart = (text: string, index: number) => index === start || text[index - 1] === '\n';
  if (isLineStart(a, at) && isLineStart(b, b.length - same)) return same;
  const lineEnd = a.indexOf('\n', at);
  return lineEnd === -1 ? 0 : a.length - lineEnd - 1;
}

function lineStartBefore(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function lastLines(text: string): string[] {
  let at = text.length - 1;
  for (let number = 0; number < contextLines && at > 0; number += 1) at = text.lastIndexOf('\n', at - 1);
  return linesOf(text.slice(Math.max(0, at + 1))).slice(-contextLines);
}

function firstLines(text: string, start: number): string[] {
  let end = start;
  for (let number = 0; number < contextLines && end !== -1 && end < text.length; number += 1) {
    const lineEnd = text.indexOf('\n', end);
    end = lineEnd === -1 ? text.length : lineEnd + 1;
  }
  return linesOf(text.slice(start, end));
}

function countLineEnds(text: string, end: number): number {
  let number = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) number += 1;
  return number;
}

function compare(before: string[], after: string[]): DiffLine[] {
  const all = (op: '-' | '+', lines: readonly string[]) => lines.map((text) => line(op, text));
  if (before.length === 0 || after.length === 0) return [...all('-', before), ...all('+', after)];
  const changes = diffArrays(before, after, { maxEditLength: maxEdits, timeout: timeoutMs });
  if (!changes) return [...all('-', before), ...all('+', after)];
  return changes.flatMap((change) => {
    const op = change.added ? '+' : change.removed ? '-' : ' ';
    return change.value.map((text) => line(op, text));
  });
}

function hunksOf(lines: readonly DiffLine[], firstNumber: number): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let oldNumber = firstNumber;
  let newNumber = firstNumber;
  let quiet: DiffLine[] = [];
  let open: DiffHunk | undefined;
  const close = () => {
    open?.lines.push(...quiet.slice(0, contextLines));
    open = undefined;
  };
  for (const current of lines) {
    if (current.op === ' ') {
      quiet.push(current);
      oldNumber += 1;
      newNumber += 1;
      if (quiet.length > contextLines * 2 && open) close();
      continue;
    }
    if (open) open.lines.push(...quiet);
    else {
      const context = quiet.slice(-contextLines);
      open = { oldStart: oldNumber - context.length, newStart: newNumber - context.length, lines: context };
      hunks.push(open);
    }
    open.lines.push(current);
    quiet = [];
    if (current.op === '-') oldNumber += 1;
    else newNumber += 1;
  }
  close();
  return hunks;
}

function cut(hunks: DiffHunk[]): { hunks: DiffHunk[]; omittedLines: number } {
  let room = maxViewLines;
  let omittedLines = 0;
  const kept: DiffHunk[] = [];
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, room);
    omittedLines += hunk.lines.length - lines.length;
    room -= lines.length;
    if (lines.length > 0) kept.push({ ...hunk, lines });
  }
  return { hunks: kept, omittedLines };
}
