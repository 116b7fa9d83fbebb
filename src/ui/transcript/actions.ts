import type { KeyPress } from '../input/key-press.ts';
import type { Keymap } from '../input/keymap.ts';

/** A cell of the transcript's box, counted from its left upper corner. */
export type ScreenPlace = { readonly row: number; readonly column: number };

/** What keys and the mouse do to the transcript. */
export interface TranscriptActions {
  /** Positive goes towards the newest row. */
  scroll(rows: number): void;
  page(direction: 'up' | 'down'): void;
  toTop(): void;
  toNewest(): void;
  /** The prompt above the first row of the screen, or the next one below it, becomes the first row. */
  toPrompt(direction: 'older' | 'newer'): void;
  /** Opens or closes the newest cell with more to show; when scrolled away, the lowest one on the screen. */
  toggleExpand(): void;
  /** Every cell is open from now on, or none is. */
  toggleOpensAll(): void;
  /** Nothing is selected any more; a drag from here selects. */
  press(place: ScreenPlace): void;
  dragTo(place: ScreenPlace): void;
  /** Where a drag goes no further without scrolling. */
  edgeAt(row: number): 'top' | 'bottom' | undefined;
  /** What is selected, as it was written: without marks at the edge and without the wraps of the screen. */
  selectedText(): string;
  clearSelection(): void;
  /** Opens the cell that is there, or goes to the end on the row that says that there is more. */
  click(place: ScreenPlace): void;
  isFollowing(): boolean;
  /** Looks for words; none = they are typed next. */
  openSearch(words: string): void;
  /** True = the key was for the search. */
  searchKey(key: KeyPress, keymap: Keymap): boolean;
}
