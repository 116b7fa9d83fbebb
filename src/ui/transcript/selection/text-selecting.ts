import { graphemes, takeWidth, textWidth } from '#lib/text-width.ts';
import type { UiStore } from '../../store/ui-store.ts';
import type { TextPoint } from '../../store/view-state.ts';
import { columnsOf, endlessWidth, proseWidth } from '../cell-context.ts';
import { markRow } from '../mark-row.ts';
import { renderCell } from '../render-cell.ts';
import type { Row } from '../row.ts';
import type { RowWindow } from '../row-window.ts';
import type { Viewport } from '../viewport.ts';
import { plainRow, type SelectedRow, selectedText } from './selected-text.ts';

/** An end of the selection where it is now. */
type End = { readonly index: number; readonly row: number; readonly column: number };

/** What the mouse is dragged over; it stays on its words while rows come and go around them. */
export class TextSelecting {
  readonly #store: UiStore;
  readonly #window: () => RowWindow | undefined;
  #pressed: TextPoint | undefined;

  constructor(store: UiStore, window: () => RowWindow | undefined) {
    this.#store = store;
    this.#window = window;
  }

  press(place: { row: number; column: number }): void {
    this.clear();
    this.#pressed = this.pointAt(place);
  }

  drag(place: { row: number; column: number }): void {
    const from = this.#pressed;
    const to = this.pointAt(place);
    if (!from || !to) return;
    const isThere = from.cellId === to.cellId && from.row === to.row && from.column === to.column;
    // A hand that trembles while it clicks selects nothing.
    if (isThere && this.#store.getView().selection === null) return;
    this.#store.updateView((view) => ({ ...view, selection: { from, to } }));
  }

  clear(): void {
    this.#pressed = undefined;
    this.#store.updateView((view) => (view.selection === null ? view : { ...view, selection: null }));
  }

  /** The point in the conversation under a cell of the screen; undefined where there is none. */
  pointAt({ row, column }: { row: number; column: number }): TextPoint | undefined {
    const window = this.#window();
    if (!window) return undefined;
    const viewport = window.viewport();
    const shown = Math.max(0, Math.min(row, viewport.rows.length - 1));
    const found = window.inView(viewport).findLast(({ at }) => at <= shown);
    const entry = found && window.list.at(found.index);
    return entry && { cellId: entry.cell.id, row: shown - found.at - entry.gap, column };
  }

  /** What is selected, as it was written; empty when nothing is. */
  text(): string {
    const window = this.#window();
    const ends = window && this.#ends(window);
    if (!ends) return '';
    let text = '';
    for (let { index } = ends.first; index <= ends.last.index; index += 1) {
      if (index > ends.first.index) text += window.list.at(index)?.gap ? '\n\n' : '\n';
      text += this.#cellText(window, index, ends);
    }
    return text.replaceAll(/^\n+|\n+$/g, '');
  }

  /** The rows in view with what is selected reversed. */
  painted(window: RowWindow, viewport: Viewport, rows: readonly Row[]): readonly Row[] {
    const ends = this.#ends(window);
    if (!ends) return rows;
    const painted = [...rows];
    for (const { index, at } of window.inView(viewport)) {
      if (index < ends.first.index || index > ends.last.index) continue;
      const first = at + (window.list.at(index)?.gap ?? 0);
      for (const { row, from, to } of selectedRows(window, index, ends)) {
        const shown = painted[first + row];
        if (first + row >= 0 && typeof shown === 'string')
          painted[first + row] = markRow(shown, [{ from, to, looks: ['inverse'] }]);
      }
    }
    return painted;
  }

  #cellText(window: RowWindow, index: number, ends: Ends): string {
    const cell = window.list.at(index)?.cell;
    if (!cell) return '';
    const { width, theme } = window.geometry;
    const look = { width: endlessWidth, theme, expanded: true, highlight: () => undefined };
    const gutter = columnsOf(width).text;
    return selectedText(selectedRows(window, index, ends), {
      unwrapped: renderCell(cell, look).rows,
      gutter,
      edge: gutter + proseWidth(width),
    });
  }

  #ends(window: RowWindow): Ends | undefined {
    const { selection } = this.#store.getView();
    if (!selection) return undefined;
    const [from, to] = [selection.from, selection.to].map((point) => endOf(window, point));
    if (!from || !to) return undefined;
    const isForward = (from.index - to.index || from.row - to.row || from.column - to.column) <= 0;
    return isForward ? { first: from, last: to } : { first: to, last: from };
  }
}

type Ends = { readonly first: End; readonly last: End };

function endOf(window: RowWindow, { cellId, row, column }: TextPoint): End | undefined {
  const index = window.list.indexOf(cellId);
  return index < 0 ? undefined : { index, row, column };
}

/** The rows of one entry that are selected, without its gap. */
function selectedRows(
  window: RowWindow,
  index: number,
  { first, last }: Ends,
): (SelectedRow & { readonly row: number })[] {
  const rows = window.rowsOf(index).rows;
  const start = index === first.index ? Math.max(0, first.row) : 0;
  const end = index === last.index ? Math.min(last.row, rows.length - 1) : rows.length - 1;
  return rows.slice(start, end + 1).map((each, offset) => {
    const row = start + offset;
    const plain = plainRow(each);
    const isFirst = index === first.index && row === first.row;
    const isLast = index === last.index && row === last.row;
    return {
      row,
      plain,
      from: isFirst ? takeWidth(plain, first.column).length : 0,
      to: isLast ? throughColumn(plain, last.column) : plain.length,
    };
  });
}

/** How many characters there are up to a column and in it; a wide one counts from its first cell on. */
function throughColumn(plain: string, column: number): number {
  const before = takeWidth(plain, column + 1);
  const [next = ''] = graphemes(plain.slice(before.length, before.length + 32));
  return before.length + (textWidth(before) < column + 1 ? next.length : 0);
}
