import type { KeyPress } from '../input/key-press.ts';
import { commandFor, type EditCommand, isEditCommand, type KeyCommand } from '../input/keymap.ts';
import { commandWithoutArgument, isCommandLine, plainCommandLine } from './completion.ts';
import {
  type EditorState,
  edit,
  insertText,
  isAtEdge,
  pasteText,
  recall,
  replaceSpan,
  resetEditor,
  toFirstRow,
  wholeText,
} from './editor.ts';
import { addSent, type HistorySearch, searchBack, searchForward, step } from './history-walk.ts';
import type { PromptScene, PromptState, PromptStep } from './prompt-state.ts';
import { followed, rebased, vimEscape, vimPromptKey } from './vim-prompt.ts';

/** What a key does while a search or a completion is open; undefined when it is not for them. Pure. */
export function overlayKey(state: PromptState, key: KeyPress, scene: PromptScene): PromptStep | undefined {
  const ended = vimEscape(state, key);
  if (ended) return ended;
  if (state.search) return searchKey(state, key, scene);
  const command = state.completion && commandFor(scene.keymap, 'completion', key);
  return command ? completionCommand(state, command, scene) : undefined;
}

/** What a key does to the prompt; undefined when it means nothing here. Takes what a search has found. Pure. */
export function promptKey(shown: PromptState, key: KeyPress, scene: PromptScene): PromptStep | undefined {
  const state = shown.search ? rebased(takeFound(shown)) : shown;
  const plain = { key: plainKey, command: promptCommand };
  const step = state.vim
    ? vimPromptKey(state, state.vim, { key, scene, plain })
    : plainKey(state, key, scene);
  return step && { ...step, state: withUsage(step.state) };
}

/** What a command does to the prompt without its key; undefined when it means nothing here. Pure. */
export function commandOnPrompt(
  shown: PromptState,
  command: KeyCommand,
  scene: PromptScene,
): PromptStep | undefined {
  const state = shown.search ? rebased(takeFound(shown)) : shown;
  const step = followed(state, promptCommand(state, command, scene));
  return step && { ...step, state: withUsage(step.state) };
}

/** How a command is used stays to be seen for as long as it stands in the prompt. */
function withUsage(state: PromptState): PromptState {
  const { wantsArgument, editor } = state;
  if (!wantsArgument) return state;
  const { name, aliases } = wantsArgument;
  const word = /^[/／](\S+)/.exec(editor.text)?.[1] ?? '';
  return word === name || aliases.includes(word) ? state : { ...state, wantsArgument: null };
}

function plainKey(state: PromptState, key: KeyPress, scene: PromptScene): PromptStep | undefined {
  if (key.name === 'paste') return { state: withEditor(state, pasteText(state.editor, key.text)) };
  if (key.text === '?' && state.editor.text === '') return { state, effect: { kind: 'help' } };
  if (key.text !== '') return { state: withEditor(state, insertText(state.editor, key.text)) };
  const command = commandFor(scene.keymap, 'prompt', key);
  return command && promptCommand(state, command, scene);
}

function promptCommand(state: PromptState, command: KeyCommand, scene: PromptScene): PromptStep | undefined {
  const { editor } = state;
  switch (command) {
    case 'send':
      return endsInBackslash(editor)
        ? { state: withEditor(state, breakAtBackslash(editor)) }
        : send(state, 'steer', scene);
    case 'queue':
      return scene.isRunning && editor.text.trim() !== '' ? send(state, 'queue', scene) : { state };
    case 'newline':
      return { state: withEditor(state, insertText(editor, '\n')) };
    case 'history-search':
      return {
        state: {
          ...state,
          completion: null,
          search: { query: '', index: null, isEverywhere: false, before: editor, shown: editor },
        },
      };
    case 'up':
      return isAtEdge(editor, 'up', scene.width) ? olderOrBack(state, scene) : move(state, 'up', scene);
    case 'down':
      return isAtEdge(editor, 'down', scene.width) ? newer(state, scene) : move(state, 'down', scene);
    case 'stash':
      return { state: stashed(state) };
    case 'erase-right':
      if (editor.text === '') return { state, effect: { kind: 'leave' } };
      return move(state, command, scene);
    default:
      return isEditCommand(command) ? move(state, command, scene) : undefined;
  }
}

function send(state: PromptState, delivery: 'steer' | 'queue', scene: PromptScene): PromptStep {
  const { editor } = state;
  const whole = wholeText(editor);
  const text = isCommandLine(whole) ? plainCommandLine(whole).trim() : whole.trim();
  if (text === '') return { state: withEditor(state, resetEditor(editor)), effect: { kind: 'go-on' } };
  if (text === '/' || text === '!') return { state };
  const wantsArgument = commandWithoutArgument(text, scene.commands);
  if (wantsArgument) return { state: { ...state, wantsArgument, completion: null } };
  const history = addSent(state.history, editor.text);
  const next = { ...state, editor: resetEditor(editor), history, completion: null, closedAt: null };
  return { state: next, effect: { kind: 'send', text, delivery } };
}

/** Puts the draft aside; on an empty prompt brings the one that was put aside back. */
function stashed(state: PromptState): PromptState {
  const { editor, stash } = state;
  if (editor.text === '' && !stash) return state;
  const back = editor.text === '' && stash ? { ...stash, kills: editor.kills, chips: editor.chips } : null;
  const history = { ...state.history, index: null };
  const next = {
    ...state,
    history,
    completion: null,
    editor: back ?? resetEditor(editor),
    stash: back ? null : editor,
  };
  return rebased(next);
}

function move(state: PromptState, command: EditCommand, scene: PromptScene): PromptStep {
  return { state: withEditor(state, edit(state.editor, command, scene.width)) };
}

function olderOrBack(state: PromptState, scene: PromptScene): PromptStep {
  if (state.editor.text === '' && state.history.index === null && scene.hasPending)
    return { state, effect: { kind: 'take-back' } };
  const stepped = step(state.history, 'older', state.editor.text);
  if (!stepped) return { state };
  const editor = toFirstRow(recall(state.editor, stepped.text), scene.width);
  return { state: { ...state, editor, history: stepped.walk, completion: null } };
}

function newer(state: PromptState, scene: PromptScene): PromptStep {
  const stepped = step(state.history, 'newer', state.editor.text);
  if (!stepped) return move(state, 'line-end', scene);
  const editor = recall(state.editor, stepped.text);
  return { state: { ...state, editor, history: stepped.walk, completion: null } };
}

function searchKey(state: PromptState, key: KeyPress, scene: PromptScene): PromptStep | undefined {
  const { search, history } = state;
  if (!search) return undefined;
  if (key.text !== '') return { state: searchFor(state, search.query + key.text.replaceAll('\n', ' ')) };
  switch (commandFor(scene.keymap, 'search', key)) {
    case 'search-older': {
      const found = searchBack(history, queryOf(search), (search.index ?? history.entries.length) - 1);
      return { state: found.index === null ? state : withFound(state, found) };
    }
    case 'search-newer': {
      const found = searchForward(history, queryOf(search), (search.index ?? history.entries.length) + 1);
      return { state: found.index === null ? state : withFound(state, found) };
    }
    case 'search-scope': {
      const wider = { query: search.query, isEverywhere: !search.isEverywhere };
      return { state: withFound(state, searchBack(history, wider)) };
    }
    case 'search-take':
      return { state: rebased(takeFound(state)) };
    case 'search-leave':
      return { state: { ...state, search: null, editor: search.before } };
    case 'erase-left':
      return { state: searchFor(state, [...search.query].slice(0, -1).join('')) };
    case 'kill-line-left':
      return { state: searchFor(state, '') };
    default:
      return undefined;
  }
}

function queryOf({ query, isEverywhere }: HistorySearch) {
  return { query, isEverywhere };
}

function searchFor(state: PromptState, query: string): PromptState {
  const { search } = state;
  if (!search) return state;
  // A longer query goes on from what it found; a shorter one starts at the newest again.
  const from = query.startsWith(search.query) ? (search.index ?? undefined) : undefined;
  return withFound(state, searchBack(state.history, { ...queryOf(search), query }, from));
}

function withFound(state: PromptState, found: HistorySearch): PromptState {
  const { search, history } = state;
  if (!search) return state;
  const text = found.index === null ? undefined : history.entries[found.index];
  const shown = text === undefined ? search.before : recall(search.before, text);
  return { ...state, search: { ...search, ...found, shown } };
}

/** The search closed, with what it found as the draft. */
function takeFound(state: PromptState): PromptState {
  return state.search ? { ...state, search: null, editor: state.search.shown } : state;
}

function completionCommand(
  state: PromptState,
  command: KeyCommand,
  scene: PromptScene,
): PromptStep | undefined {
  const { completion } = state;
  if (!completion) return undefined;
  const { items, selected } = completion;
  const select = (index: number) => ({ state: { ...state, completion: { ...completion, selected: index } } });
  switch (command) {
    case 'completion-next':
      return select(selected + 1 < items.length ? selected + 1 : 0);
    case 'completion-previous':
      return select(selected > 0 ? selected - 1 : items.length - 1);
    case 'completion-close':
      return { state: { ...state, completion: null, closedAt: completion.target.from } };
    case 'completion-take':
      return items.length > 0 ? { state: takeItem(state, Math.max(0, selected)) } : undefined;
    case 'completion-run': {
      const item = items[selected];
      if (!item) return undefined;
      const taken = takeItem(state, selected);
      if (item.runs) return promptCommand({ ...taken, completion: null }, 'send', scene);
      const line = taken.editor.text.trim();
      // The whole name was typed: Enter asked for more than to complete it.
      const isTyped = state.editor.text.trim() === line;
      const wantsArgument = isTyped ? commandWithoutArgument(line, scene.commands) : undefined;
      return { state: wantsArgument ? { ...taken, wantsArgument } : taken };
    }
    default:
      return undefined;
  }
}

function takeItem(state: PromptState, index: number): PromptState {
  const { completion, editor } = state;
  const item = completion?.items[index];
  if (!completion || !item) return state;
  const { from, to } = completion.target;
  // A blank that follows anyway is not doubled.
  const follows = editor.text.charAt(to) === ' ' && item.insert.endsWith(' ');
  const taken = replaceSpan(editor, { from, to: follows ? to + 1 : to, text: item.insert });
  return { ...withEditor(state, taken), completion: null };
}

/** A changed text is a new draft: the walk through the history is over. */
function withEditor(state: PromptState, editor: EditorState): PromptState {
  if (editor === state.editor) return state;
  const isSameText = editor.text === state.editor.text;
  const history = isSameText ? state.history : { ...state.history, index: null };
  return { ...state, editor, history };
}

function endsInBackslash({ text, cursor }: EditorState): boolean {
  return cursor === text.length && text.endsWith('\\') && !text.endsWith('\\\\');
}

function breakAtBackslash(editor: EditorState): EditorState {
  return replaceSpan(editor, { from: editor.cursor - 1, to: editor.cursor, text: '\n' });
}
