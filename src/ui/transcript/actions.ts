import type { KeyPress } from '../input/key-press.ts';
import type { Keymap } from '../input/keymap.ts';

/** What keys and the wheel do to the transcript. */
export interface TranscriptActions {
  /** Positive goes towards the newest row. */
  scroll(rows: number): void;
  page(direction: 'up' | 'down'): void;
  toTop(): void;
  toNewest(): void;
  /** Opens or closes the newest cell with more to show; when scrolled away, the lowest one on the screen. */
  toggleExpand(): void;
  isFollowing(): boolean;
  /** Looks for words; none = they are typed next. */
  openSearch(words: string): void;
  /** True = the key was for the search. */
  searchKey(key: KeyPress, keymap: Keymap): boolean;
}
