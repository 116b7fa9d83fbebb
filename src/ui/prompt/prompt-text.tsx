import { useCursor } from 'ink';
import { useRef, useSyncExternalStore } from 'react';
import { Rows } from '../frame/row.tsx';
import { topInView } from '../frame/top-in-view.ts';
import { cursorPosition, layoutOf } from './editor.ts';
import { promptCells, promptCursorColumn, promptRow } from './prompt-rows.ts';
import type { PromptStore } from './prompt-store.ts';
import { searchCursorColumn } from './search-row.ts';

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
  setCursorPosition(
    search
      ? { x: margin + searchCursorColumn(search, width - margin * 2), y: searchTop }
      : { x: promptCursorColumn(editor, { cursor, margin }), y: top + cursor.row - firstRow.current },
  );
  const shown = layout.rows
    .slice(firstRow.current, firstRow.current + rows)
    .map((row, index) => promptRow(editor, { row, index: firstRow.current + index, cells, isBusy }));
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
