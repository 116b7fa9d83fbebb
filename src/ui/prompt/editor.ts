import { cleanText } from '#lib/terminal-text.ts';
import type { EditCommand } from '../input/keymap.ts';
import { addChip, type Chips, expandChips, isBigPaste, isBigRecall } from './chips.ts';
import { type CellPosition, type Layout, layoutText, offsetAt, positionOf } from './layout.ts';
import {
  chipCharacters,
  isChipAt,
  lineEnd,
  lineStart,
  nextGrapheme,
  nextWord,
  previousBlankWord,
  previousGrapheme,
  previousWord,
  snapForward,
} from './text-units.ts';
import { recasedWord, transposedWords } from './word-edits.ts';

type Snapshot = { readonly text: string; readonly cursor: number };

/**
 * The prompt's text and all that editing it needs, as plain values. Holds: `cursor` is a grapheme boundary of
 * `text`; `text` has line feeds as its only control characters besides tabs.
 */
export type EditorState = {
  readonly text: string;
  readonly cursor: number;
  readonly chips: Chips;
  /** The column that moves up and down aim at; null after every other move. */
  readonly goalColumn: number | null;
  /** Newest last. */
  readonly kills: readonly string[];
  /** What the last command was, where the next one depends on it. */
  readonly last: 'typing' | 'erasing' | 'kill' | 'yank' | null;
  /** After a yank: where its text begins, and which kill it was. */
  readonly yanked: { readonly start: number; readonly index: number } | null;
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
};

const keptKills = 30;
const keptSnapshots = 300;

export const emptyEditor: EditorState = {
  text: '',
  cursor: 0,
  chips: new Map(),
  goalColumn: null,
  kills: [],
  last: null,
  yanked: null,
  undo: [],
  redo: [],
};

/** Runs one command. `width` is the number of cells of a row. Returns the same state when nothing changed. */
export function edit(state: EditorState, command: EditCommand, width: number): EditorState {
  const { text, cursor } = state;
  switch (command) {
    case 'left':
      return moveTo(state, previousGrapheme(text, cursor));
    case 'right':
      return moveTo(state, nextGrapheme(text, cursor));
    case 'word-left':
      return moveTo(state, previousWord(text, cursor));
    case 'word-right':
      return moveTo(state, nextWord(text, cursor));
    case 'line-start':
      return moveTo(state, lineStart(text, cursor));
    case 'line-end':
      return moveTo(state, lineEnd(text, cursor));
    case 'up':
      return moveRow(state, -1, width);
    case 'down':
      return moveRow(state, 1, width);
    case 'erase-left':
      return erase(state, previousGrapheme(text, cursor), cursor);
    case 'erase-right':
      return erase(state, cursor, nextGrapheme(text, cursor));
    case 'kill-word-left':
      return kill(state, { from: previousWord(text, cursor), to: cursor });
    case 'kill-word-right':
      return kill(state, { from: cursor, to: nextWord(text, cursor) });
    case 'kill-blank-word-left':
      return kill(state, { from: previousBlankWord(text, cursor), to: cursor });
    case 'kill-line-left': {
      const start = lineStart(text, cursor);
      return kill(state, { from: start === cursor ? Math.max(0, cursor - 1) : start, to: cursor });
    }
    case 'kill-line-right': {
      const end = lineEnd(text, cursor);
      return kill(state, { from: cursor, to: end === cursor ? Math.min(text.length, cursor + 1) : end });
    }
    case 'yank':
      return yank(state);
    case 'yank-older':
      return yankOlder(state);
    case 'transpose':
      return transpose(state);
    case 'transpose-words':
      return rewritten(state, transposedWords(text, cursor));
    case 'upper-word':
    case 'lower-word':
    case 'capital-word':
      return rewritten(state, recasedWord(text, cursor, command));
    case 'text-start':
      return moveTo(state, 0);
    case 'text-end':
      return moveTo(state, text.length);
    case 'undo':
      return travel(state, 'undo');
    case 'redo':
      return travel(state, 'redo');
  }
}

/** Puts text in at the cursor, as if typed. */
export function insertText(state: EditorState, raw: string): EditorState {
  const text = insertable(raw);
  if (text === '') return state;
  const isWord = !/\s/.test(text);
  const joins = state.last === 'typing' && isWord;
  return { ...splice(state, { from: state.cursor, to: state.cursor, text, joins }), last: 'typing' };
}

/** Puts pasted text in; a long one is folded to a chip. */
export function pasteText(state: EditorState, raw: string): EditorState {
  const text = insertable(raw);
  if (text === '') return state;
  if (!isBigPaste(text)) return splice(state, { from: state.cursor, to: state.cursor, text });
  const { chips, character } = addChip(state.chips, text);
  return splice({ ...state, chips }, { from: state.cursor, to: state.cursor, text: character });
}

/** Puts `text` in the place of a span, e.g. a completion in the place of what was typed of it. */
export function replaceSpan(
  state: EditorState,
  span: { from: number; to: number; text: string },
): EditorState {
  return splice(state, { ...span, text: insertable(span.text) });
}

/** Another text, e.g. from the person's editor, with the cursor behind it. A huge one is folded. */
export function replaceAll(state: EditorState, raw: string): EditorState {
  const text = insertable(raw);
  const whole = { from: 0, to: state.text.length };
  if (!isBigRecall(text)) return splice(state, { ...whole, text });
  const { chips, character } = addChip(state.chips, text);
  return splice({ ...state, chips }, { ...whole, text: character });
}

/** Another text in one step of undo, made of pieces of this one. `undoTo`: where undo brings the cursor. */
export function withText(
  state: EditorState,
  { text, cursor, undoTo = state.cursor }: { text: string; cursor: number; undoTo?: number },
): EditorState {
  if (text === state.text) return moveTo(state, snapForward(text, cursor));
  const changed = splice({ ...state, cursor: undoTo }, { from: 0, to: state.text.length, text });
  return { ...changed, cursor: snapForward(text, cursor) };
}

/** Shows a prompt of the history: one of this screen, with its chips, or one from the disk. */
export function recall(state: EditorState, text: string): EditorState {
  const isOurs = [...text.matchAll(chipCharacters)].every(([character]) => state.chips.has(character));
  const hasChips = text.search(chipCharacters) >= 0;
  if (!hasChips || !isOurs) return replaceAll(state, text);
  return splice(state, { from: 0, to: state.text.length, text });
}

/** The cursor at the end of the first row, from where one more step up leaves the text. */
export function toFirstRow(state: EditorState, width: number): EditorState {
  const layout = layoutOf(state, width);
  const cursor = offsetAt(layout, { text: state.text, row: 0, column: width, chips: state.chips });
  return moveTo(state, cursor);
}

/** Takes everything away, but keeps it for `yank` and `undo`. */
export function clearText(state: EditorState): EditorState {
  return kill({ ...state, last: null }, { from: 0, to: state.text.length });
}

/** An empty editor that remembers what was killed. */
export function resetEditor(state: EditorState): EditorState {
  return { ...emptyEditor, kills: state.kills, chips: state.chips };
}

/** What the text stands for, chips unfolded. */
export function wholeText(state: EditorState): string {
  return expandChips(state.text, state.chips);
}

/** Unfolds the chip at or before the cursor; undefined when there is none. */
export function unfoldChip(state: EditorState): EditorState | undefined {
  const { text, cursor, chips } = state;
  const before = previousGrapheme(text, cursor);
  const from = [cursor, before].find((offset) => offset < text.length && isChipAt(text, offset));
  if (from === undefined) return undefined;
  const to = nextGrapheme(text, from);
  return splice(state, { from, to, text: expandChips(text.slice(from, to), chips) });
}

/** True when a move up (or down) would leave the text. */
export function isAtEdge(state: EditorState, direction: 'up' | 'down', width: number): boolean {
  const { row } = cursorPosition(state, width);
  return direction === 'up' ? row === 0 : row === layoutOf(state, width).rows.length - 1;
}

const layouts = new WeakMap<EditorState, Layout>();

/** The rows of the text; kept for as long as this state lives. */
export function layoutOf(state: EditorState, width: number): Layout {
  const known = layouts.get(state);
  if (known?.width === width) return known;
  const layout = layoutText(state.text, { width, chips: state.chips });
  layouts.set(state, layout);
  return layout;
}

export function cursorPosition(state: EditorState, width: number): CellPosition {
  const { text, cursor, chips } = state;
  return positionOf(layoutOf(state, width), { text, offset: cursor, chips });
}

function moveTo(state: EditorState, cursor: number): EditorState {
  if (cursor === state.cursor && state.last === null && state.goalColumn === null) return state;
  return { ...state, cursor, goalColumn: null, last: null, yanked: null };
}

function moveRow(state: EditorState, delta: -1 | 1, width: number): EditorState {
  const { text, chips } = state;
  const layout = layoutOf(state, width);
  const at = cursorPosition(state, width);
  const goalColumn = state.goalColumn ?? at.column;
  const row = at.row + delta;
  if (row < 0 || row >= layout.rows.length) return state;
  const next = offsetAt(layout, { text, row, column: goalColumn, chips });
  return { ...state, cursor: next, goalColumn, last: null, yanked: null };
}

function erase(state: EditorState, from: number, to: number): EditorState {
  if (from === to) return moveTo(state, state.cursor);
  return { ...splice(state, { from, to, text: '', joins: state.last === 'erasing' }), last: 'erasing' };
}

/** Kills that follow each other without another command between them are one text. */
function kill(state: EditorState, { from, to }: { from: number; to: number }): EditorState {
  if (from === to) return moveTo(state, state.cursor);
  const killed = state.text.slice(from, to);
  const newest = state.last === 'kill' ? state.kills.at(-1) : undefined;
  const joined =
    to === state.cursor && from < state.cursor ? killed + (newest ?? '') : (newest ?? '') + killed;
  const older = newest === undefined ? state.kills : state.kills.slice(0, -1);
  const kills = [...older, joined].slice(-keptKills);
  return { ...splice(state, { from, to, text: '' }), kills, last: 'kill' };
}

function yank(state: EditorState): EditorState {
  const index = state.kills.length - 1;
  const text = state.kills[index];
  if (text === undefined) return state;
  const start = state.cursor;
  return { ...splice(state, { from: start, to: start, text }), last: 'yank', yanked: { start, index } };
}

function yankOlder(state: EditorState): EditorState {
  if (state.last !== 'yank' || !state.yanked) return state;
  const { start, index } = state.yanked;
  const older = index === 0 ? state.kills.length - 1 : index - 1;
  const text = state.kills[older];
  if (text === undefined) return state;
  const next = splice(state, { from: start, to: state.cursor, text, joins: true });
  return { ...next, last: 'yank', yanked: { start, index: older } };
}

/** Swaps the characters around the cursor; at the end of a line the two before it. */
function transpose(state: EditorState): EditorState {
  const { text, cursor } = state;
  const middle = cursor === lineEnd(text, cursor) ? previousGrapheme(text, cursor) : cursor;
  if (middle <= lineStart(text, cursor)) return state;
  const from = previousGrapheme(text, middle);
  const to = nextGrapheme(text, middle);
  return splice(state, { from, to, text: text.slice(middle, to) + text.slice(from, middle) });
}

function rewritten(state: EditorState, next: { text: string; cursor: number } | undefined): EditorState {
  return next ? withText(state, next) : moveTo(state, state.cursor);
}

function travel(state: EditorState, direction: 'undo' | 'redo'): EditorState {
  const back = state[direction];
  const target = back.at(-1);
  if (!target) return state;
  const here = { text: state.text, cursor: state.cursor };
  const rest = back.slice(0, -1);
  const stacks =
    direction === 'undo'
      ? { undo: rest, redo: [...state.redo, here] }
      : { undo: [...state.undo, here], redo: rest };
  return { ...state, ...target, ...stacks, goalColumn: null, last: null, yanked: null };
}

/** The one place where text changes. `joins`: it belongs to the change before it and needs no step of its own. */
function splice(
  state: EditorState,
  { from, to, text, joins = false }: { from: number; to: number; text: string; joins?: boolean },
): EditorState {
  const next = state.text.slice(0, from) + text + state.text.slice(to);
  const here = { text: state.text, cursor: state.cursor };
  return {
    ...state,
    text: next,
    cursor: snapForward(next, from + text.length),
    goalColumn: null,
    last: null,
    yanked: null,
    undo: joins && state.undo.length > 0 ? state.undo : [...state.undo, here].slice(-keptSnapshots),
    redo: [],
  };
}

/** Free of all that could act on the terminal, so that what the person sees is what is sent. */
function insertable(raw: string): string {
  return cleanText(raw).replaceAll(chipCharacters, '\ufffd');
}
