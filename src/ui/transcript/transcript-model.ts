import { type Clock, systemClock } from '#lib/clock.ts';
import type { KeyPress } from '../input/key-press.ts';
import type { Keymap } from '../input/keymap.ts';
import { createHighlighter, type Highlighter } from '../markdown/highlighter.ts';
import type { UiStore } from '../store/ui-store.ts';
import { isOpenCell, type SearchView } from '../store/view-state.ts';
import type { ScreenPlace, TranscriptActions } from './actions.ts';
import type { Cell } from './cell.ts';
import type { EntryList } from './entry-list.ts';
import { renderCell } from './render-cell.ts';
import type { Row } from './row.ts';
import { type Geometry, RowWindow } from './row-window.ts';
import { cellText, markMatches, searchPattern } from './search/matches.ts';
import { TranscriptSearch } from './search/transcript-search.ts';
import { TextSelecting } from './selection/text-selecting.ts';
import type { Place, Viewport } from './viewport.ts';

type TranscriptLayout = {
  readonly rows: readonly Row[];
  /** Rows that came since the person scrolled away; null when that cannot be told. Only when not at the end. */
  readonly newRows: number | null;
  readonly isAtEnd: boolean;
  /** Nobody has said anything yet; only notices may be there. */
  readonly isFresh: boolean;
};

/** Nobody means a cell that is further up than this, and each one that is looked at is drawn. */
const mostLookedAt = 200;

/** The transcript of one store: what is drawn of it, and what keys do to it. */
export class TranscriptModel implements TranscriptActions {
  readonly #store: UiStore;
  readonly #highlighter: Highlighter;
  readonly #search: TranscriptSearch;
  readonly #selecting: TextSelecting;
  #isFresh = true;
  /** Not there before the first drawing: without a size there are no rows. */
  #window: RowWindow | undefined;

  constructor(
    store: UiStore,
    {
      highlighter = createHighlighter(),
      clock = systemClock,
    }: { highlighter?: Highlighter; clock?: Clock } = {},
  ) {
    this.#store = store;
    this.#highlighter = highlighter;
    this.#selecting = new TextSelecting(store, () => this.#synced());
    this.#search = new TranscriptSearch({
      store,
      clock,
      ground: {
        cells: () => this.#synced()?.list.cells() ?? [],
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
    return this.#window?.renders ?? 0;
  }

  layout(geometry: Geometry): TranscriptLayout {
    this.#window ??= new RowWindow(this.#store, { highlighter: this.#highlighter, geometry });
    const window = this.#window;
    window.sync(geometry);
    const viewport = window.viewport();
    this.#askForCode(window, viewport);
    const { messages, live, activeRuns } = this.#store.getThread();
    const isQuiet = live === null && Object.keys(activeRuns).length === 0;
    const isFresh = isQuiet && messages.every((message) => message.role === 'notice');
    const newRows = viewport.isAtEnd ? null : window.newRows();
    const rows = this.#selecting.painted(window, viewport, this.#marked(window, viewport));
    this.#isFresh = isFresh;
    return { rows, newRows, isAtEnd: viewport.isAtEnd, isFresh };
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
    const window = this.#synced();
    if (!window) return;
    const { top, isAtEnd } = window.viewport();
    if (isAtEnd && rows >= 0) window.toNewest();
    else window.moveTo(window.move(top, rows));
  }

  page(direction: 'up' | 'down'): void {
    const rows = Math.max(1, (this.#window?.geometry.height ?? 3) - 2);
    this.scroll(direction === 'up' ? -rows : rows);
  }

  toTop(): void {
    this.#synced()?.moveTo({ index: 0, row: 0 });
  }

  toNewest(): void {
    this.#window?.toNewest();
  }

  toPrompt(direction: 'older' | 'newer'): void {
    const window = this.#synced();
    if (!window) return;
    const { top, isAtEnd } = window.viewport();
    const index = promptFrom(window.list, top, direction);
    if (index !== undefined) window.moveTo({ index, row: window.list.at(index)?.gap ?? 0 });
    else if (direction === 'older') this.toTop();
    else if (!isAtEnd) window.toNewest();
  }

  toggleOpensAll(): void {
    this.#store.updateView((view) => ({ ...view, opensAll: !view.opensAll, expanded: new Set() }));
  }

  press(place: ScreenPlace): void {
    if (this.#isInside(place)) this.#selecting.press(place);
    else this.#selecting.clear();
  }

  dragTo(place: ScreenPlace): void {
    this.#selecting.drag(place);
  }

  edgeAt(row: number): 'top' | 'bottom' | undefined {
    if (row <= 0) return 'top';
    return row >= (this.#window?.geometry.height ?? 0) - 1 ? 'bottom' : undefined;
  }

  selectedText(): string {
    return this.#selecting.text();
  }

  clearSelection(): void {
    this.#selecting.clear();
  }

  click(place: ScreenPlace): void {
    const window = this.#synced();
    if (!window || !this.#isInside(place)) return;
    const { rows, isAtEnd } = window.viewport();
    if (!isAtEnd && place.row === rows.length) {
      window.toNewest();
      return;
    }
    const point = place.row < rows.length ? this.#selecting.pointAt(place) : undefined;
    const index = point ? window.list.indexOf(point.cellId) : -1;
    if (!point || index < 0 || !window.rowsOf(index).canExpand) return;
    // What is open is read, and clicked on to bring the window to the front; only its head closes it.
    const isOpen = isOpenCell(this.#store.getView(), point.cellId);
    if (!isOpen || point.row === 0) this.#toggleCell(window, index);
  }

  /** False on the greeting, which is no part of the conversation. */
  #isInside({ row, column }: ScreenPlace): boolean {
    const { width, height } = this.#window?.geometry ?? { width: 0, height: 0 };
    return !this.#isFresh && row >= 0 && row < height && column < width;
  }

  toggleExpand(): void {
    const window = this.#synced();
    if (window) this.#toggleCell(window, this.#expandable(window));
  }

  #toggleCell(window: RowWindow, index: number): void {
    const id = window.list.at(index)?.cell.id;
    if (id === undefined) return;
    this.#store.updateView((view) => {
      const expanded = new Set(view.expanded);
      if (!expanded.delete(id)) expanded.add(id);
      return { ...view, expanded };
    });
    // What was opened is read from its first row.
    const { top } = window.viewport();
    const isStartInView = top.index < index || (top.index === index && top.row === 0);
    if (!isStartInView) window.moveTo({ index, row: 0 });
  }

  /** Colours are worked out for code in view only. */
  #askForCode(window: RowWindow, viewport: Viewport): void {
    for (const { index, at } of window.inView(viewport)) {
      const first = at + (window.list.at(index)?.gap ?? 0);
      for (const { code, language, from, to } of window.rowsOf(index).plainCode ?? [])
        if (first + to > 0 && first + from < viewport.rows.length) this.#highlighter.ask(code, language);
    }
  }

  /** The words that are looked for stand out in the rows in view. */
  #marked(window: RowWindow, viewport: Viewport): readonly Row[] {
    const search = this.search();
    const pattern = search ? searchPattern(search.query) : undefined;
    if (!pattern) return viewport.rows;
    const marked = window.inView(viewport).flatMap(({ index }) => {
      const { cell, gap } = window.list.at(index) ?? {};
      const own = window.rowsAt(index).slice(gap);
      const current = search?.current?.cellId === cell?.id ? (search?.current?.nth ?? null) : null;
      return [...(gap ? [''] : []), ...markMatches(own, pattern, current)];
    });
    return marked.slice(viewport.top.row, viewport.top.row + viewport.rows.length);
  }

  /** Not by the cache: the rows in view would have to leave it. Colours are of no use here. */
  #textOf(cell: Cell) {
    if (!this.#window) return cellText([]);
    const { width, theme } = this.#window.geometry;
    return cellText(renderCell(cell, { width, theme, expanded: true, highlight: () => undefined }).rows);
  }

  #lowestInView(): number {
    const window = this.#synced();
    if (!window) return 0;
    const { top, rows } = window.viewport();
    return window.move(top, Math.max(0, rows.length - 1)).index;
  }

  /** Brings a row of a cell into view, a third from the top, when it is not there already. */
  #reveal(cellId: string, ownRow: number): void {
    const window = this.#synced();
    const index = window?.list.indexOf(cellId) ?? -1;
    if (!window || index < 0) return;
    const row = ownRow + (window.list.at(index)?.gap ?? 0);
    // One row for the search and one for the hint, which may not stand there yet.
    const height = Math.max(1, window.geometry.height - 2);
    const { top, isAtEnd } = window.viewport();
    // The end moves while an answer is written: there the match needs a place of its own.
    const rows = isAtEnd ? -1 : window.rowsBetween(top, { index, row }, height);
    if (rows < 0 || rows >= height) window.anchor(window.move({ index, row }, -Math.floor(height / 3)));
  }

  /** At the end again: it is followed from now on. */
  #settle(): void {
    if (this.#synced()?.viewport().isAtEnd) this.toNewest();
  }

  #synced(): RowWindow | undefined {
    this.#window?.sync();
    return this.#window;
  }

  /** The newest cell that opens; when the person has scrolled away, the lowest one in view. -1 = none. */
  #expandable(window: RowWindow): number {
    const isExpandable = (index: number) => window.rowsOf(index).canExpand;
    if (this.isFollowing()) {
      const last = window.list.length - 1;
      for (let index = last; index >= Math.max(0, last - mostLookedAt); index -= 1)
        if (isExpandable(index)) return index;
      return -1;
    }
    const shown = window.inView(window.viewport());
    return shown.findLast(({ index }) => isExpandable(index))?.index ?? -1;
  }
}

/** The nearest prompt above the first row of the screen, or below it. */
function promptFrom(list: EntryList, top: Place, direction: 'older' | 'newer'): number | undefined {
  const step = direction === 'older' ? -1 : 1;
  const isBelowStart = top.row > (list.at(top.index)?.gap ?? 0);
  for (
    let index = step === -1 && isBelowStart ? top.index : top.index + step;
    index >= 0 && index < list.length;
    index += step
  ) {
    const kind = list.at(index)?.cell.kind;
    if (kind === 'user' || kind === 'shell') return index;
  }
  return undefined;
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
