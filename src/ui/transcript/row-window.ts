import type { Highlighter } from '../markdown/highlighter.ts';
import type { UiStore } from '../store/ui-store.ts';
import { isOpenCell, type ScrollMark } from '../store/view-state.ts';
import type { Cell } from './cell.ts';
import type { CellRows } from './cell-context.ts';
import { EntryList } from './entry-list.ts';
import { mostCounted } from './hint.ts';
import type { Row } from './row.ts';
import { RowCache, type RowLook } from './row-cache.ts';
import {
  endViewport,
  entriesInView,
  followViewport,
  movePlace,
  type Place,
  placeOf,
  type Viewport,
  viewportFrom,
} from './viewport.ts';

export type Geometry = RowLook & { readonly height: number };

/**
 * The rows of one store's transcript and the window on them. Only cells in view are rendered; a place is a cell and a
 * row in it, so nothing above or below has to be measured to stand still. Nothing is asked of it before `sync`.
 */
export class RowWindow {
  readonly list = new EntryList();
  readonly #store: UiStore;
  readonly #cache: RowCache;
  readonly #counts = new WeakMap<Cell, { look: string; rows: number }>();
  #geometry: Geometry;
  /** The first row while the end is followed; held by its cell, because what is above it may fold. */
  #followed: { cellId: string; row: number } | undefined;

  constructor(store: UiStore, { highlighter, geometry }: { highlighter: Highlighter; geometry: Geometry }) {
    this.#store = store;
    this.#cache = new RowCache(highlighter);
    this.#geometry = geometry;
  }

  get geometry(): Geometry {
    return this.#geometry;
  }

  /** Cells rendered so far. */
  get renders(): number {
    return this.#cache.renders;
  }

  /** Takes in what the thread is now, and another size of the window. */
  sync(geometry = this.#geometry): void {
    this.#geometry = geometry;
    this.list.sync(this.#store.getThread(), this.#store.getView());
  }

  /** All rows of an entry, its gap included. */
  readonly rowsAt = (index: number): readonly Row[] => {
    const entry = this.list.at(index);
    if (!entry) return [];
    const { rows } = this.rowsOf(index);
    return entry.gap === 0 ? rows : ['', ...rows];
  };

  rowsOf(index: number): CellRows<Row> {
    const cell = this.list.at(index)?.cell;
    if (!cell) return { rows: [], canExpand: false };
    const view = this.#store.getView();
    const expanded = isOpenCell(view, cell.id) || view.search?.current?.cellId === cell.id;
    return this.#cache.rowsOf(cell, { ...this.#geometry, expanded });
  }

  /** The hint takes the last row while the end is out of view. */
  viewport(): Viewport {
    const { height } = this.#geometry;
    const top = placeOf(this.list, this.rowsAt, this.#store.getView().scroll);
    if (!top) return this.#follow(height);
    const viewport = viewportFrom(this.list, this.rowsAt, { top, height: Math.max(1, height - 1) });
    return viewport.isAtEnd ? endViewport(this.list, this.rowsAt, height) : viewport;
  }

  inView(viewport: Viewport): ReturnType<typeof entriesInView> {
    return entriesInView(this.list, this.rowsAt, viewport);
  }

  move(from: Place, rows: number): Place {
    return movePlace(this.list, this.rowsAt, { from, rows });
  }

  /** Makes a place the first row of the screen; the end is followed where it would be in view. */
  moveTo(place: Place): void {
    const height = Math.max(1, this.#geometry.height - 1);
    const { isAtEnd } = viewportFrom(this.list, this.rowsAt, { top: place, height });
    if (isAtEnd || !this.list.at(place.index)) this.toNewest();
    else this.anchor(place);
  }

  /** The same, and it stands also where the end is in view and grows. */
  anchor({ index, row }: Place): void {
    const cellId = this.list.at(index)?.cell.id;
    if (cellId === undefined) return;
    this.#store.updateView((view) => {
      const left = view.scroll.kind === 'anchor' ? view.scroll.left : this.#endMark();
      return { ...view, scroll: { kind: 'anchor', cellId, row, left } };
    });
  }

  toNewest(): void {
    this.#store.updateView((view) =>
      view.scroll.kind === 'follow' ? view : { ...view, scroll: { kind: 'follow' } },
    );
  }

  /** Rows that came since the person scrolled away; null when that cannot be told. */
  newRows(): number | null {
    const { scroll } = this.#store.getView();
    if (scroll.kind === 'follow' || !scroll.left) return null;
    const from = this.list.indexOf(scroll.left.cellId);
    if (from < 0) return null;
    let count = Math.max(0, this.rowsAt(from).length - scroll.left.rows);
    for (let index = from + 1; index < this.list.length && count <= mostCounted; index += 1)
      count += this.#countAt(index);
    return count;
  }

  /** How far below `from` a place is; -1 when it is above or `most` rows away. */
  rowsBetween(from: Place, to: Place, most: number): number {
    let rows = -from.row;
    for (let index = from.index; index <= to.index && rows < most; index += 1) {
      if (index === to.index) return rows + to.row;
      rows += this.rowsAt(index).length;
    }
    return -1;
  }

  #follow(height: number): Viewport {
    const followed = this.#followed;
    const index = followed ? this.list.indexOf(followed.cellId) : -1;
    const top = followed && index >= 0 ? { index, row: followed.row } : undefined;
    const step = Math.floor(height / 6);
    const viewport = followViewport(this.list, this.rowsAt, { top, height, step });
    const cellId = this.list.at(viewport.top.index)?.cell.id;
    this.#followed = cellId === undefined ? undefined : { cellId, row: viewport.top.row };
    return viewport;
  }

  #endMark(): ScrollMark | null {
    const index = this.list.length - 1;
    const cell = this.list.at(index)?.cell;
    return cell ? { cellId: cell.id, rows: this.rowsAt(index).length } : null;
  }

  /** The number of rows without the rows, for cells that are too far away to be kept in the cache. */
  #countAt(index: number): number {
    const entry = this.list.at(index);
    if (!entry) return 0;
    const { width, theme } = this.#geometry;
    const look = `${width} ${theme.id} ${entry.gap} ${isOpenCell(this.#store.getView(), entry.cell.id)}`;
    const known = this.#counts.get(entry.cell);
    if (known?.look === look) return known.rows;
    const rows = this.rowsAt(index).length;
    this.#counts.set(entry.cell, { look, rows });
    return rows;
  }
}
