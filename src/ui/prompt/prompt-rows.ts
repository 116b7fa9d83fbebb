// Free of React, like all that the boot stage draws with.
import { type Span, span } from '../theme/span.ts';
import type { EditorState } from './editor.ts';
import type { CellPosition, LayoutRow } from './layout.ts';

/** Cells of the mark before the text. */
const markCells = 2;

const idlePlaceholders = ['say what to do · @ file · / command · ! shell', 'say what to do'];
const busyPlaceholders = ['say more: it goes in at the next step', 'say more'];

/** One row of the draft; `index` counts from its first one. */
export function promptRow(
  editor: EditorState,
  { row, index, cells, isBusy }: { row: LayoutRow; index: number; cells: number; isBusy: boolean },
): readonly Span[] {
  const mark = index === 0 ? markOf(editor) : span(' '.repeat(markCells));
  if (editor.text === '') return [mark, span(placeholder(isBusy, cells), 'dim')];
  return [mark, ...rowSpans(row, index === 0 && hasShellMark(editor.text))];
}

/** The column of the screen where the cursor stands. */
export function promptCursorColumn(
  editor: EditorState,
  { cursor, margin }: { cursor: CellPosition; margin: number },
): number {
  return Math.max(margin, margin + markCells + cursor.column - hiddenBefore(editor, cursor));
}

/** Cells that a row of the draft has, the cursor's own one included. */
export function promptCells(width: number, margin: number): number {
  return Math.max(4, width - margin * 2 - markCells);
}

export function isShellLine(text: string): boolean {
  return /^\s*!/.test(text);
}

/** A single line `# fact` is remembered and not sent. Without the blank it may be the number of an issue. */
export function isMemoryLine(text: string): boolean {
  return /^#[ \t]+\S[^\n]*$/.test(text.trimEnd());
}

/** What Enter does with a draft. */
export type LineUse = 'message' | 'shell' | 'memory';

export function purposeOf(text: string): LineUse {
  if (isShellLine(text)) return 'shell';
  return isMemoryLine(text) ? 'memory' : 'message';
}

/** The mark says what Enter will do: talk to the model, run a command here, or remember. */
function markOf({ text }: EditorState): Span {
  switch (purposeOf(text)) {
    case 'shell':
      return span('! ', 'warning', 'bold');
    case 'memory':
      return span('❯ ', 'success', 'bold');
    case 'message':
      return span('❯ ', 'accent', 'bold');
  }
}

/** A leading `!` is drawn as the mark, not a second time in the text. */
function hasShellMark(text: string): boolean {
  return text.startsWith('!');
}

function hiddenBefore({ text, cursor }: EditorState, { row }: CellPosition): number {
  if (!hasShellMark(text) || row > 0) return 0;
  return cursor === 0 ? markCells : 1;
}

function rowSpans({ parts }: LayoutRow, dropsMark: boolean): Span[] {
  return parts.map(({ text, isChip }, index) => {
    if (isChip) return span(text, 'accent');
    return span(dropsMark && index === 0 ? text.slice(1) : text);
  });
}

function placeholder(isBusy: boolean, cells: number): string {
  const candidates = isBusy ? busyPlaceholders : idlePlaceholders;
  return candidates.find((text) => text.length < cells) ?? '';
}
