import { useCursor } from 'ink';
import { useRef, useSyncExternalStore } from 'react';
import { Row } from '../root/row.tsx';
import { type Span, span } from '../theme/span.ts';
import { cursorPosition, type EditorState, layoutOf } from './editor.ts';
import type { LayoutRow } from './layout.ts';
import type { PromptStore } from './prompt-store.ts';
import { searchCursorColumn } from './search-row.ts';

/** Cells of the mark before the text. */
const markCells = 2;

const idlePlaceholder = 'say what to do · @ file · / command · ! shell';
const busyPlaceholder = 'say more: it goes in at the next step';

/** The draft in exactly `rows` rows, with the terminal's own cursor in it: input methods draw where that stands. */
export function PromptText({ prompt, width, margin, rows, top, searchTop, isBusy }: PromptTextProps) {
  const { setCursorPosition } = useCursor();
  const { editor: draft, search } = useSyncExternalStore(prompt.subscribe, prompt.getState);
  const firstRow = useRef(0);
  const editor = search?.shown ?? draft;
  const cells = promptCells(width, margin);
  const layout = layoutOf(editor, cells);
  const cursor = cursorPosition(editor, cells);
  firstRow.current = scrolledTo(firstRow.current, { cursorRow: cursor.row, rows, count: layout.rows.length });
  const left = margin + markCells;
  setCursorPosition(
    search
      ? { x: margin + searchCursorColumn(search.query, width - margin * 2), y: searchTop }
      : { x: left + cursor.column, y: top + cursor.row - firstRow.current },
  );
  const shown = layout.rows.slice(firstRow.current, firstRow.current + rows);
  return shown.map((row, index) => (
    <Row
      key={firstRow.current + index}
      spans={[
        span(' '.repeat(margin)),
        ...(firstRow.current + index === 0 ? [markOf(editor)] : [span(' '.repeat(markCells))]),
        ...(editor.text === '' ? [span(isBusy ? busyPlaceholder : idlePlaceholder, 'dim')] : rowSpans(row)),
      ]}
    />
  ));
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

function rowSpans({ parts }: LayoutRow): Span[] {
  return parts.map(({ text, isChip }) => (isChip ? span(text, 'accent') : span(text)));
}

/** The first row to show so that the cursor is in view and no room is wasted below the last row. */
export function scrolledTo(
  first: number,
  { cursorRow, rows, count }: { cursorRow: number; rows: number; count: number },
): number {
  const reaching = Math.max(first, cursorRow - rows + 1);
  return Math.max(0, Math.min(reaching, cursorRow, count - rows));
}
