import { type Clock, systemClock } from '#lib/clock.ts';
import type { KeyPress } from '../input/key-press.ts';
import type { Keymap } from '../input/keymap.ts';
import { createHighlighter, type Highlighter } from '../markdown/highlighter.ts';
import type { UiStore } from '../store/ui-store.ts';
import type { ScrollMark, SearchView } from '../store/view-state.ts';
import type { TranscriptActions } from './actions.ts';
import type { Cell } from './cell.ts';
import type { CellRows } from './cell-context.ts';
import { EntryList } from './entry-list.ts';
import { renderCell } from './render-cell.ts';
import type { Row } from './row.ts';
import { RowCache, type RowLook } from './row-cache.ts';
import { cellText, markMatches, searchPattern } from './search/matches.ts';
import { TranscriptSearch } from './search/transcript-search.ts';
import {
  endViewport,
  followViewport,
  movePlace,
  type Place,
  placeOf,
  type Viewport,
  viewportFrom,
} from './viewport.ts';

type TranscriptLayout = {
  readonly rows: readonly Row[];
  /** Rows that came since the person scrolled away; null when that cannot be told. Only when not at the end. */
  readonly newRows: number | null;
  readonly isAtEnd: boolean;
  /** Nobody has said anything yet; only notices may be there. */
  readonly isFresh: boolean;
};

type Geometry = RowLook & { height: number };

/**
 * The transcript of one store: which rows are in view, and what scrolling does. Only cells in view are rendered;
 * a place is a cell and a row in it, so nothing above or below has to be measured to stand still.
 */
export class TranscriptModel implements TranscriptActions {
  readonly #store: UiStore;
  readonly #list = new EntryList();
  readonly #cache: RowCache;
  readonly #highlighter: Highlighter;
  readonly #search: TranscriptSearch;
  #geometry: Geometry | undefined;
  /** The first row while the end is followed; held by its cell, because what is above it may fold. */
  #followed: { cellId: string; row: number } | undefined;

  constructor(
    store: UiStore,
    {
      highlighter = createHighlighter(),
      clock = systemClock,
    }: { highlighter?: Highlighter; clock?: Clock } = {},
  ) {
    this.#store = store;
    this.#highlighter = highlighter;
    this.#cache = new RowCache(highlighter);
    this.#search = new TranscriptSearch({
      store,
      clock,
      ground: {
        cells: () => {
          this.#sync();
          return this.#list.cells();
        },
        textOf: (cell) => this.#textOf(cell),
        lowestInView: () => this.#lowestInView(),
        reveal: (cellId, row) => this.#reveal(cellId, row),
        settle: () => this.#settle(),
      },
    });
  }

  /** Calls back when rows changed without the store: code got its colours. */
  readonly onCodeReady = (listener: () => void) => this.#highlighter.onReady(listener);
  readonly codeVersion = () => this.#highlighter.version();

  /** Cells rendered so far. */
  get renders(): number {
    return this.#cache.renders;
  }

  layout(geometry: Geometry): TranscriptLayout {
    this.#geometry = geometry;
    this.#sync();
    const viewport = this.#viewport(geometry);
    this.#askForCode(viewport, geometry);
    const { messages, live, activeRuns } = this.#store.getThread();
    const isQuiet = live === null && Object.keys(activeRuns).length === 0;
    const isFresh = isQuiet && messages.every((message) => message.role === 'notice');
    const newRows = viewport.isAtEnd ? null : this.#newRows();
    return { rows: this.#marked(viewport), newRows, isAtEnd: viewport.isAtEnd, isFresh };
  }

  search(): SearchView | null {
    return this.#store.getView().search;
  }

  openSearch(words: string): void {
    this.#search.open(words);
  }

  searchKey(key: KeyPress, keymap: Keymap): boolean {
    return this.#search.key(key, keymap);
  }

  isFollowing(): boolean {
    return this.#store.getView().scroll.kind === 'follow';
  }

  scroll(rows: number): void {
    const geometry = this.#geometry;
    if (!geometry) return;
    this.#sync();
    const { top, isAtEnd } = this.#viewport(geometry);
    if (isAtEnd && rows >= 0) this.toNewest();
    else this.#moveTo(movePlace(this.#list, this.#rowsAt, { from: top, rows }), geometry);
  }

  page(direction: 'up' | 'down'): void {
    const rows = Math.max(1, (this.#geometry?.height ?? 3) - 2);
    this.scroll(direction === 'up' ? -rows : rows);
  }

  toTop(): void {
    const geometry = this.#geometry;
    if (!geometry) return;
    this.#sync();
    this.#moveTo({ index: 0, row: 0 }, geometry);
  }

  toNewest(): void {
    this.#store.updateView((view) =>
      view.scroll.kind === 'follow' ? view : { ...view, scroll: { kind: 'follow' } },
    );
  }

  toggleExpand(): void {
    const geometry = this.#geometry;
    if (!geometry) return;
    this.#sync();
    const index = this.#expandable(geometry);
    const id = this.#list.at(index)?.cell.id;
    if (id === undefined) return;
    this.#store.updateView((view) => {
      const expanded = new Set(view.expanded);
      if (!expanded.delete(id)) expanded.add(id);
      return { ...view, expanded };
    });
    // What was opened is read from its first row.
    const { top } = this.#viewport(geometry);
    const isStartInView = top.index < index || (top.index === index && top.row === 0);
    if (!isStartInView) this.#moveTo({ index, row: 0 }, geometry);
  }

  /** Colours are worked out for code in view only. */
  #askForCode({ top, rows }: Viewport, geometry: Geometry): void {
    let shown = -top.row;
    for (let index = top.index; index < this.#list.length && shown < rows.length; index += 1) {
      const first = shown + (this.#list.at(index)?.gap ?? 0);
      for (const { code, language, from, to } of this.#rowsOf(index, geometry).plainCode ?? [])
        if (first + to > 0 && first + from < rows.length) this.#highlighter.ask(code, language);
      shown += this.#rowsAt(index).length;
    }
  }

  /** The words that are looked for stand out in the rows in view. */
  #marked({ top, rows }: Viewport): readonly Row[] {
    const search = this.search();
    const pattern = search ? searchPattern(search.query) : undefined;
    if (!pattern) return rows;
    const marked: Row[] = [];
    for (let index = top.index; index < this.#list.length && marked.length < rows.length; index += 1) {
      const { id } = this.#list.at(index)?.cell ?? {};
      const gap = this.#list.at(index)?.gap === 0 ? [] : [''];
      const own = gap.length === 0 ? this.#rowsAt(index) : this.#rowsAt(index).slice(1);
      const current = search?.current?.cellId === id ? (search?.current?.nth ?? null) : null;
      const shown = [...gap, ...markMatches(own, pattern, current)];
      marked.push(...(index === top.index ? shown.slice(top.row) : shown));
    }
    return marked.slice(0, rows.length);
  }

  /** Not by the cache: the rows in view would have to leave it. Colours are of no use here. */
  #textOf(cell: Cell) {
    const geometry = this.#geometry;
    if (!geometry) return cellText([]);
    const { width, theme } = geometry;
    return cellText(renderCell(cell, { width, theme, expanded: true, highlight: () => undefined }).rows);
  }

  #lowestInView(): number {
    const geometry = this.#geometry;
    if (!geometry) return 0;
    this.#sync();
    const { top, rows } = this.#viewport(geometry);
    return movePlace(this.#list, this.#rowsAt, { from: top, rows: Math.max(0, rows.length - 1) }).index;
  }

  /** Brings a row of a cell into view, a third from the top, when it is not there already. */
  #reveal(cellId: string, ownRow: number): void {
    const geometry = this.#geometry;
    if (!geometry) return;
    this.#sync();
    const index = this.#list.indexOf(cellId);
    if (index < 0) return;
    const row = ownRow + (this.#list.at(index)?.gap === 0 ? 0 : 1);
    // One row for the search and one for the hint, which may not stand there yet.
    const height = Math.max(1, geometry.height - 2);
    const { top, isAtEnd } = this.#viewport(geometry);
    // The end moves while an answer is written: there the match needs a place of its own.
    const rows = isAtEnd ? -1 : this.#rowsBetween(top, { index, row }, height);
    if (rows >= 0 && rows < height) return;
    const place = movePlace(this.#list, this.#rowsAt, {
      from: { index, row },
      rows: -Math.floor(height / 3),
    });
    const id = this.#list.at(place.index)?.cell.id;
    if (id === undefined) return;
    this.#store.updateView((view) => {
      const left = view.scroll.kind === 'anchor' ? view.scroll.left : this.#endMark();
      return { ...view, scroll: { kind: 'anchor', cellId: id, row: place.row, left } };
    });
  }

  /** How far below `from` a place is; -1 when it is above or `most` rows away. */
  #rowsBetween(from: Place, to: Place, most: number): number {
    let rows = -from.row;
    for (let index = from.index; index <= to.index && rows < most; index += 1) {
      if (index === to.index) return rows + to.row;
      rows += this.#rowsAt(index).length;
    }
    return -1;
  }

  /** At the end again: it is followed from now on. */
  #settle(): void {
    const geometry = this.#geometry;
    if (!geometry) return;
    this.#sync();
    if (this.#viewport(geometry).isAtEnd) this.toNewest();
  }

  readonly #rowsAt = (index: number): readonly Row[] => {
    const entry = this.#list.at(index);
    const geometry = this.#geometry;
    if (!entry || !geometry) return [];
    const { rows } = this.#rowsOf(index, geometry);
    return entry.gap === 0 ? rows : ['', ...rows];
  };

  #rowsOf(index: number, { width, theme }: Geometry): CellRows<Row> {
    const cell = this.#list.at(index)?.cell;
    if (!cell) return { rows: [], canExpand: false };
    const view = this.#store.getView();
    const expanded = view.expanded.has(cell.id) || view.search?.current?.cellId === cell.id;
    return this.#cache.rowsOf(cell, { width, theme, expanded });
  }

  #sync(): void {
    this.#list.sync(this.#store.getThread(), this.#store.getView());
  }

  /** The hint takes the last row while the end is out of view. */
  #viewport(geometry: Geometry): Viewport {
    const top = placeOf(this.#list, this.#rowsAt, this.#store.getView().scroll);
    if (!top) return this.#follow(geometry);
    const height = Math.max(1, geometry.height - 1);
    const viewport = viewportFrom(this.#list, this.#rowsAt, { top, height });
    return viewport.isAtEnd ? endViewport(this.#list, this.#rowsAt, geometry.height) : viewport;
  }

  #follow({ height }: Geometry): Viewport {
    const followed = this.#followed;
    const index = followed ? this.#list.indexOf(followed.cellId) : -1;
    const top = followed && index >= 0 ? { index, row: followed.row } : undefined;
    const step = Math.floor(height / 6);
    const viewport = followViewport(this.#list, this.#rowsAt, { top, height, step });
    const cellId = this.#list.at(viewport.top.index)?.cell.id;
    this.#followed = cellId === undefined ? undefined : { cellId, row: viewport.top.row };
    return viewport;
  }

  #moveTo(place: Place, geometry: Geometry): void {
    const height = Math.max(1, geometry.height - 1);
    const viewport = viewportFrom(this.#list, this.#rowsAt, { top: place, height });
    const cellId = this.#list.at(place.index)?.cell.id;
    if (viewport.isAtEnd || cellId === undefined) {
      this.toNewest();
      return;
    }
    this.#store.updateView((view) => {
      const left = view.scroll.kind === 'anchor' ? view.scroll.left : this.#endMark();
      return { ...view, scroll: { kind: 'anchor', cellId, row: place.row, left } };
    });
  }

  #endMark(): ScrollMark | null {
    const index = this.#list.length - 1;
    const cell = this.#list.at(index)?.cell;
    return cell ? { cellId: cell.id, rows: this.#rowsAt(index).length } : null;
  }

  #newRows(): number | null {
    const { scroll } = this.#store.getView();
    if (scroll.kind === 'follow' || !scroll.left) return null;
    const from = this.#list.indexOf(scroll.left.cellId);
    if (from < 0) return null;
    let count = Math.max(0, this.#rowsAt(from).length - scroll.left.rows);
    for (let index = from + 1; index < this.#list.length; index += 1) count += this.#rowsAt(index).length;
    return count;
  }

  /** The newest cell that opens; when the person has scrolled away, the lowest one in view. -1 = none. */
  #expandable(geometry: Geometry): number {
    const isExpandable = (index: number) => this.#rowsOf(index, geometry).canExpand;
    if (this.isFollowing()) {
      for (let index = this.#list.length - 1; index >= 0; index -= 1) if (isExpandable(index)) return index;
      return -1;
    }
    const { top, rows } = this.#viewport(geometry);
    let last = top.index;
    for (
      let left = rows.length + top.row - this.#rowsAt(last).length;
      left > 0 && last < this.#list.length - 1;
    ) {
      last += 1;
      left -= this.#rowsAt(last).length;
    }
    for (let index = last; index >= top.index; index -= 1) if (isExpandable(index)) return index;
    return -1;
  }
}

const models = new WeakMap<UiStore, TranscriptModel>();

/** The one model of a store, for the component and for the keys. */
export function transcriptModel(store: UiStore): TranscriptModel {
  const known = models.get(store);
  if (known) return known;
  const model = new TranscriptModel(store);
  models.set(store, model);
  return model;
}
