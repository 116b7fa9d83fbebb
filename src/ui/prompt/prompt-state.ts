import type { CommandSpec } from '#protocol/command.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Completion } from './completion.ts';
import { type EditorState, emptyEditor } from './editor.ts';
import { emptyHistory, type HistorySearch, type HistoryWalk } from './history-walk.ts';
import type { VimState } from './vim/vim-state.ts';

/** Everything about the prompt that is not the thread: the draft, the way through the history, the popup. */
export type PromptState = {
  readonly editor: EditorState;
  readonly history: HistoryWalk;
  /** `before`: what leaving the search goes back to. `shown`: what it found. */
  readonly search: (HistorySearch & { readonly before: EditorState; readonly shown: EditorState }) | null;
  readonly completion: Completion | null;
  /** Where the person closed the popup; it stays closed until the cursor stands in something else. */
  readonly closedAt: number | null;
  /** Null: the keys are those of readline. */
  readonly vim: VimState | null;
  /** A draft that was put aside. */
  readonly stash: EditorState | null;
  /** A command line that was not sent, since its argument is missing. */
  readonly wantsArgument: CommandSpec | null;
};

export const emptyPrompt: PromptState = {
  editor: emptyEditor,
  history: emptyHistory,
  search: null,
  completion: null,
  closedAt: null,
  vim: null,
  stash: null,
  wantsArgument: null,
};

/** What a key is judged by. */
export type PromptScene = {
  readonly keymap: Keymap;
  readonly commands: readonly CommandSpec[];
  /** Cells of a row of text. */
  readonly width: number;
  /** A turn runs, so a message steers or queues. */
  readonly isRunning: boolean;
  /** Messages wait that can be taken back. */
  readonly hasPending: boolean;
};

/** What the prompt wants done outside. */
export type PromptEffect =
  | { readonly kind: 'send'; readonly text: string; readonly delivery: 'steer' | 'queue' }
  /** Enter on an empty prompt. */
  | { readonly kind: 'go-on' }
  | { readonly kind: 'take-back' }
  | { readonly kind: 'help' }
  /** To the clipboard of the terminal. */
  | { readonly kind: 'copy'; readonly text: string }
  /** Ctrl+D on an empty prompt. */
  | { readonly kind: 'leave' };

export type PromptStep = { readonly state: PromptState; readonly effect?: PromptEffect };
