import type { EditorState } from '../editor.ts';
import { noRegisters, type Registers } from './registers.ts';

export type VimMode = 'insert' | 'replace' | 'normal' | 'visual' | 'visual-line';
export type Operator = 'd' | 'c' | 'y' | '>' | '<' | 'g~' | 'gu' | 'gU';

/** A motion by the keys that ask for it; `character` is what f, t and their like look for. */
export type Motion = { readonly name: string; readonly character?: string };

export type Target =
  | { readonly kind: 'motion'; readonly motion: Motion }
  | { readonly kind: 'object'; readonly object: string; readonly isAround: boolean }
  /** The operator's key twice. */
  | { readonly kind: 'lines' };

export type VimAction =
  | { readonly kind: 'move'; readonly motion: Motion }
  | { readonly kind: 'select'; readonly object: string; readonly isAround: boolean }
  | { readonly kind: 'operate'; readonly operator: Operator; readonly target: Target }
  /** On what is selected. */
  | { readonly kind: 'operate-selected'; readonly operator: Operator; readonly isLinewise: boolean }
  | { readonly kind: 'key'; readonly name: string; readonly character?: string };

/** One whole command. `count` null: none was typed. */
export type VimCommand = {
  readonly register: string | null;
  readonly count: number | null;
  readonly action: VimAction;
};

/** How far a selection reached, so that `.` can operate on as much text again. */
export type Extent = { readonly isLinewise: boolean; readonly lines: number; readonly characters: number };

/** What `.` does again. */
export type Change = {
  readonly command: VimCommand;
  /** What was typed after it: characters taken back first, then the text. */
  readonly typed: { readonly back: number; readonly text: string } | null;
  readonly extent: Extent | null;
};

/** From entering the insert mode to leaving it: one change, and one step of undo. */
type InsertSession = {
  readonly change: Change | null;
  readonly undo: EditorState['undo'];
  readonly before: { readonly text: string; readonly cursor: number };
  /** The text and the cursor where the typing began. */
  readonly base: string;
  readonly at: number;
};

export type VimState = {
  readonly mode: VimMode;
  /** The keys of a command that is not complete yet. */
  readonly keys: readonly string[];
  /** The other end of what is selected. */
  readonly anchor: number;
  /** The column that j and k aim at; null after every other move. */
  readonly goal: number | null;
  /** What `;` looks for again. */
  readonly find: Motion | null;
  readonly registers: Registers;
  readonly last: Change | null;
  readonly session: InsertSession | null;
  /** What the replace mode wrote over, so that backspace brings it back. */
  readonly overtyped: readonly string[];
};

export const freshVim: VimState = {
  mode: 'insert',
  keys: [],
  anchor: 0,
  goal: null,
  find: null,
  registers: noRegisters,
  last: null,
  session: { change: null, undo: [], before: { text: '', cursor: 0 }, base: '', at: 0 },
  overtyped: [],
};

/** A new draft begins in the insert mode; what was yanked and changed is remembered. */
export function resetVim(vim: VimState): VimState {
  const { registers, last, find } = vim;
  return { ...freshVim, registers, last, find };
}

/** The text under edit and where the person is in it. */
export type VimScene = { readonly editor: EditorState; readonly vim: VimState };
