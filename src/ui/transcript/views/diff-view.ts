import { cleanName } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import { breakRuns } from '#lib/wrap.ts';
import type { DiffHunk, DiffLine, DiffView } from '#protocol/tool-view.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { changedWords, type LinePiece } from './word-diff.ts';

const looks: Readonly<Record<DiffLine['op'], { sign: string; token: ThemeToken; word: ThemeToken }>> = {
  ' ': { sign: ' ', token: 'diffContext', word: 'diffContext' },
  '+': { sign: '+', token: 'diffAdded', word: 'diffAddedWord' },
  '-': { sign: '−', token: 'diffRemoved', word: 'diffRemovedWord' },
};

/** Rows of a change: line number, sign, line; words that changed stand out. */
export function diffRows(view: DiffView, width: number): Span[][] {
  const numberWidth = String(Math.max(1, ...view.hunks.map(lastNumber))).length;
  const rows: Span[][] = [];
  for (const [index, hunk] of view.hunks.entries()) {
    if (index > 0) rows.push([span(`${' '.repeat(numberWidth)}  ⋯`, 'lineNumber')]);
    rows.push(...hunkRows(hunk, { numberWidth, width }));
  }
  if (view.omittedLines) rows.push([span(`… ${view.omittedLines} more lines of this change`, 'dim')]);
  return rows;
}

/** Each file under a line with its name and what happens to it. */
export function diffsRows(files: readonly DiffView[], width: number): Span[][] {
  return files.flatMap((file, index) => [
    ...(index === 0 ? [] : [[]]),
    ...breakRuns([span(`${changes[file.change]} `, 'dim'), span(cleanName(file.path), 'strong')], width),
    ...diffRows(file, width),
  ]);
}

const changes: Readonly<Record<DiffView['change'], string>> = {
  create: 'new',
  modify: 'change',
  delete: 'delete',
};

function hunkRows(hunk: DiffHunk, { numberWidth, width }: { numberWidth: number; width: number }): Span[][] {
  const lines = hunk.lines.map((line) => ({ op: line.op, text: lineText(line.text) }));
  const words = changedWords(lines);
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return lines.flatMap((line, index) => {
    const number = line.op === '-' ? oldLine : newLine;
    if (line.op !== '+') oldLine += 1;
    if (line.op !== '-') newLine += 1;
    const look = looks[line.op];
    const prefix = [
      span(String(number).padStart(numberWidth), 'lineNumber'),
      span(`  ${look.sign}  `, look.token),
    ];
    const blank = span(' '.repeat(numberWidth + 5));
    const pieces = words.get(index) ?? [{ text: line.text, changed: false }];
    return breakRuns(
      pieces.map((piece) => pieceSpan(piece, look)),
      Math.max(1, width - numberWidth - 5),
    ).map((row, at) => [...(at === 0 ? prefix : [blank]), ...row]);
  });
}

function pieceSpan(piece: LinePiece, look: { token: ThemeToken; word: ThemeToken }): Span {
  return span(piece.text, piece.changed ? look.word : look.token);
}

/** A diff is what a person says yes to: what would not show is made visible, nothing is left out. */
function lineText(text: string): string {
  const line = text.replace(/[\r\n]+$/, '');
  return expandTabs(line.split('\t').map(cleanName).join('\t'));
}

function lastNumber(hunk: DiffHunk): number {
  return Math.max(hunk.oldStart, hunk.newStart) + hunk.lines.length;
}
