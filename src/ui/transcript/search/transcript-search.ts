import type { Clock } from '#lib/clock.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { commandFor, type Keymap } from '../../input/keymap.ts';
import type { UiStore } from '../../store/ui-store.ts';
import { type ScrollState, type SearchView, withOpenCell } from '../../store/view-state.ts';
import type { Cell } from '../cell.ts';
import { type CellText, countMatches, rowOfMatch, searchPattern } from './matches.ts';
import { longestWord, mayMatch } from './may-match.ts';

/** What the search needs of the transcript. */
interface SearchGround {
  /** All cells, oldest first. */
  cells(): readonly Cell[];
  /** The words of a cell as it is when it is open. */
  textOf(cell: Cell): CellText;
  /** The lowest cell in view. */
  lowestInView(): number;
  reveal(cellId: string, row: number): void;
  settle(): void;
}

type Hit = {
  readonly cell: Cell;
  readonly count: number /** Matches in newer cells. */;
  readonly newer: number;
};

/** Longer would be felt as a key that comes late. */
const sliceMs = 6;

/**
 * Finds words in the conversation, from the newest cell up, in slices; what was once read of a cell is kept until the
 * search is left. What is found is in the store's view, so that the rows in view mark it.
 */
export class TranscriptSearch {
  readonly #store: UiStore;
  readonly #ground: SearchGround;
  readonly #clock: Clock;
  #texts = new WeakMap<Cell, CellText>();
  #cells: readonly Cell[] = [];
  #unread = 0;
  #origin = 0;
  /** Newest first. */
  #hits: Hit[] = [];
  #current: { hit: number; nth: number } | undefined;
  #before: ScrollState = { kind: 'follow' };
  #word = '';
  #cancel = (): void => undefined;

  constructor(options: { store: UiStore; ground: SearchGround; clock: Clock }) {
    this.#store = options.store;
    this.#ground = options.ground;
    this.#clock = options.clock;
  }

  /** With words the search goes on at once from match to match. */
  open(query: string): void {
    this.#before = this.#store.getView().scroll;
    this.#origin = this.#ground.lowestInView();
    this.#texts = new WeakMap();
    this.#find({ query, isWalking: query !== '' });
  }

  /** True = taken. A letter that means nothing here is the first one of a prompt, so the search is left. */
  key(key: KeyPress, keymap: Keymap): boolean {
    const { search } = this.#store.getView();
    if (!search) return false;
    if (key.text !== '') return this.#type(search, key.text);
    switch (commandFor(keymap, 'find', key)) {
      case 'find-older':
        this.#walk(1);
        return true;
      case 'find-newer':
        this.#walk(-1);
        return true;
      case 'find-stay':
        if (search.isWalking) this.#walk(1);
        else if (search.query.trim() === '') this.#leave();
        else this.#show({ isWalking: true });
        return true;
      case 'find-leave':
        this.#leave();
        return true;
      case 'erase-left':
        if (search.query === '') this.#leave();
        else this.#find({ query: [...search.query].slice(0, -1).join(''), isWalking: false });
        return true;
      case 'kill-line-left':
        this.#find({ query: '', isWalking: false });
        return true;
      default:
        return false;
    }
  }

  #type({ query, isWalking }: SearchView, text: string): boolean {
    if (!isWalking) this.#find({ query: query + text.replaceAll(/\s+/g, ' '), isWalking });
    else if (text === 'n') this.#walk(1);
    else if (text === 'N') this.#walk(-1);
    else if (text === '/') this.#show({ isWalking: false });
    else {
      this.#leave();
      return false;
    }
    return true;
  }

  /** What was being typed goes back to where it began; a match that was taken stays. */
  #leave(): void {
    this.#cancel();
    this.#texts = new WeakMap();
    this.#cells = [];
    this.#hits = [];
    this.#store.updateView((view) => {
      const scroll = view.search?.isWalking ? view.scroll : this.#before;
      const opened = view.search?.isWalking ? view.search.current?.cellId : undefined;
      const expanded = opened === undefined ? view.expanded : withOpenCell(view, opened);
      return { ...view, search: null, scroll, expanded };
    });
    this.#ground.settle();
  }

  #find({ query, isWalking }: { query: string; isWalking: boolean }): void {
    this.#cancel();
    this.#hits = [];
    this.#current = undefined;
    this.#cells = this.#ground.cells();
    this.#unread = this.#cells.length;
    this.#word = longestWord(query);
    const search = { query, isWalking, count: 0, at: 0, isComplete: true, current: null };
    this.#store.updateView((view) => ({ ...view, search, scroll: this.#before }));
    this.#readOn();
  }

  #readOn(): void {
    // Another thread was attached: its view knows nothing of this search.
    const { search } = this.#store.getView();
    const pattern = search ? searchPattern(search.query) : undefined;
    if (!pattern) return;
    const until = this.#clock.now() + sliceMs;
    while (this.#unread > 0 && this.#clock.now() < until) {
      this.#unread -= 1;
      this.#read(this.#unread, pattern);
    }
    if (this.#unread === 0 && !this.#current && this.#hits.length > 0)
      this.#current = { hit: this.#hits.length - 1, nth: 0 };
    this.#show({});
    if (this.#unread > 0) this.#cancel = this.#clock.after(0, () => this.#readOn());
  }

  #read(index: number, pattern: RegExp): void {
    const cell = this.#cells[index];
    if (!cell || !mayMatch(cell, this.#word)) return;
    const count = countMatches(this.#textOf(cell), pattern);
    if (count === 0) return;
    const last = this.#hits.at(-1);
    this.#hits.push({ cell, count, newer: last ? last.newer + last.count : 0 });
    if (!this.#current && index <= this.#origin)
      this.#current = { hit: this.#hits.length - 1, nth: count - 1 };
  }

  #textOf(cell: Cell): CellText {
    const known = this.#texts.get(cell);
    if (known) return known;
    const text = this.#ground.textOf(cell);
    this.#texts.set(cell, text);
    return text;
  }

  /** 1 = to the next older match, -1 = to the next newer one; around at both ends. */
  #walk(direction: 1 | -1): void {
    const { hit = 0, nth = 0 } = this.#current ?? {};
    const count = this.#hits.length;
    if (count === 0) return;
    const inCell = nth - direction;
    const isHere = inCell >= 0 && inCell < (this.#hits[hit]?.count ?? 0);
    // Where the rest is not read yet there is no way around.
    const isAround = hit + direction < 0 || hit + direction >= count;
    if (!isHere && isAround && this.#unread > 0) return;
    const next = isHere ? hit : (hit + direction + count) % count;
    const edge = direction === 1 ? (this.#hits[next]?.count ?? 1) - 1 : 0;
    this.#current = { hit: next, nth: isHere ? inCell : edge };
    this.#show({});
  }

  #show(change: { isWalking?: boolean }): void {
    const before = this.#store.getView().search;
    if (!before) return;
    const last = this.#hits.at(-1);
    const count = last ? last.newer + last.count : 0;
    const hit = this.#current && this.#hits[this.#current.hit];
    const nth = this.#current?.nth ?? 0;
    const current = hit ? { cellId: hit.cell.id, nth } : null;
    const at = hit ? count - hit.newer - hit.count + nth + 1 : 0;
    const search = { ...before, count, at, current, isComplete: this.#unread === 0, ...change };
    this.#store.updateView((view) => ({ ...view, search }));
    const pattern = searchPattern(before.query);
    const isSame = before.current?.cellId === current?.cellId && before.current?.nth === current?.nth;
    if (hit && pattern && !isSame)
      this.#ground.reveal(hit.cell.id, rowOfMatch(this.#textOf(hit.cell), pattern, nth));
  }
}
