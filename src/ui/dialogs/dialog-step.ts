import type { ModelRef } from '#protocol/model-ref.ts';
import type { ProviderDraft } from '#protocol/screen-port.ts';
import type { UserAction } from '#protocol/user-action.ts';
import type { Keymap } from '../input/keymap.ts';
import type { PaletteEntry } from './palette/palette-entries.ts';

/** What a dialog wants done in the world; `dialogs.ts` does it. */
export type DialogEffect =
  | { kind: 'close' }
  | { kind: 'submit'; action: UserAction }
  /** A slash command, with its slash: what a person can type has one way through the program. */
  | { kind: 'run-command'; line: string }
  /** Finds out what switching to it means; what is worth a question comes as a card, else it is chosen. */
  | { kind: 'check-model'; ref: ModelRef }
  | { kind: 'choose-model'; ref: ModelRef; compactFirst?: true }
  | { kind: 'mark-model'; ref: ModelRef; isFavourite: boolean }
  | { kind: 'find-models' }
  /** Asks the server of a draft for its models; the answer comes into the form. */
  | { kind: 'list-models'; draft: ProviderDraft }
  /** Asks what `add-provider` would write; the answer comes into the form. */
  | { kind: 'preview-provider'; draft: ProviderDraft }
  | { kind: 'add-provider'; draft: ProviderDraft }
  | { kind: 'start-demo' }
  | { kind: 'open-thread'; threadId: string; words?: string }
  /** What these find comes into the picker of threads. */
  | { kind: 'list-threads'; isEverywhere: boolean }
  | { kind: 'search-threads'; words: string; isEverywhere: boolean }
  | { kind: 'preview-thread'; threadId: string }
  /** Finds out what going back would do to files; the answer comes into the dialog. */
  | { kind: 'preview-rewind'; promptId: string }
  /** From the palette; `write`: into the prompt, for what it takes. */
  | { kind: 'choose-entry'; entry: PaletteEntry; how: 'run' | 'write' }
  /** Into the prompt, where that is empty. */
  | { kind: 'draft'; text: string }
  | { kind: 'copy'; text: string; what: string }
  | { kind: 'preview-theme'; theme: string }
  | { kind: 'save-theme'; theme: string }
  | { kind: 'exit' };

/** What a key does to a dialog. A reducer returns undefined for a key that means nothing to it. */
export type Step<State> = { readonly state: State; readonly effects: readonly DialogEffect[] };

export function step<State>(state: State, ...effects: DialogEffect[]): Step<State> {
  return { state, effects };
}

/** What was on the screen when the person pressed the key; the numbers are 0 before the first drawing. */
export type KeyScene = {
  readonly keymap: Keymap;
  /** Rows in view of the part that scrolls. */
  readonly pageRows: number;
  /** How far that part can be scrolled down. */
  readonly maxScroll: number;
  /** Cells of a row inside the frame. */
  readonly width: number;
};
