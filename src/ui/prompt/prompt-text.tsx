import { useCursor } from 'ink';
import { useRef, useSyncExternalStore } from 'react';
import { Rows } from '../frame/row.tsx';
import { topInView } from '../frame/top-in-view.ts';
import { type Span, span } from '../theme/span.ts';
import { cursorPosition, type EditorState, layoutOf } from './editor.ts';
import type { CellPosition, LayoutRow } from './layout.ts';
import type { PromptStore } from './prompt-store.ts';
import { searchCursorColumn } from './search-row.ts';

/** Cells of the mark before the text. */
const markCells = 2;

const idlePlaceholders = ['say what to do · @ file · / command · ! shell', 'say what to do'];
const busyPlaceholders = ['say more: it goes in at the next step', 'say more'];

/** The draft in exactly `rows` rows, with the terminal's own cursor in it: input methods draw where that stands. */
export function PromptText({ prompt, width, margin, rows, top, searchTop, isBusy }: PromptTextProps) {
  const { setCursorPosition } = useCursor();
  const { editor: draft, search } = useSyncExternalStore(prompt.subscribe, prompt.getState);
  const firstRow = useRef(0);
  const editor = search?.shown ?? draft;
  const cells = promptCells(width, margin);
  const layout = layoutOf(editor, cells);
  const cursor = cursorPosition(editor, cells);
  firstRow.current = topInView({
    top: firstRow.current,
    index: cursor.row,
    rows,
    count: layout.rows.length,
  });
  const left = margin + markCells;
  setCursorPosition(
    search
      ? { x: margin + searchCursorColumn(search.query, width - margin * 2), y: searchTop }
      : {
          x: Math.max(margin, left + cursor.column - hiddenBefore(editor, cursor)),
          y: top + cursor.row - firstRow.current,
        },
  );
  const shown = layout.rows.slice(firstRow.current, firstRow.current + rows).map((row, index) => {
    const isFirst = firstRow.current + index === 0;
    const mark = isFirst ? markOf(editor) : span(' '.repeat(markCells));
    if (editor.text === '') return [mark, span(placeholder(isBusy, cells), 'dim')];
    return [mark, ...rowSpans(row, isFirst && hasShellMark(editor.text))];
  });
  return <Rows rows={shown} margin={margin} />;
}

type PromptTextProps = {
  readonly prompt: PromptStore;
  readonly width: number;
  readonly margin: number;
  readonly rows: number;
  /** The row of the screen where the text begins. */
  readonly top: number;
  /** The row of the screen where a search shows its query. */
  readonly searchTop: number;
  /** A turn runs: what is typed now steers it. */
  readonly isBusy: boolean;
};

/** Cells that a row of the draft has, the cursor's own one included. */
export function promptCells(width: number, margin: number): number {
  return Math.max(4, width - margin * 2 - markCells);
}

export function isShellLine(text: string): boolean {
  return /^\s*!/.test(text);
}

/** The mark says what Enter will do: talk to the model, or run a command here. */
function markOf({ text }: EditorState): Span {
  return isShellLine(text) ? span('! ', 'warning', 'bold') : span('❯ ', 'accent', 'bold');
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
