import type { Clock } from '#lib/clock.ts';
import { cleanText } from '#lib/terminal-text.ts';
import type { CommandSpec } from '#protocol/command.ts';
import type { PastPrompts } from '#protocol/screen-port.ts';
import type { KeyPress } from '../input/key-press.ts';
import type { KeyCommand, Keymap } from '../input/keymap.ts';
import {
  argumentItems,
  type Completion,
  type CompletionTarget,
  commandItems,
  completionTarget,
} from './completion.ts';
import { clearText, layoutOf, replaceAll, unfoldChip, wholeText } from './editor.ts';
import { createFileSearch } from './file-search.ts';
import { addLoaded } from './history-walk.ts';
import { commandOnPrompt, overlayKey, promptKey } from './prompt-key.ts';
import {
  emptyPrompt,
  type PromptEffect,
  type PromptScene,
  type PromptState,
  type PromptStep,
} from './prompt-state.ts';
import { chipCharacters } from './text-units.ts';
import { escapesVim } from './vim/vim-key.ts';
import { freshVim } from './vim/vim-state.ts';
import { rebased } from './vim-prompt.ts';

/** The prompt's own slice of the screen's state: typing changes nothing else, and the thread changes nothing here. */
export interface PromptStore {
  getState(): PromptState;
  subscribe(listener: () => void): () => void;
  /** Cells of a row of text; the drawing says so. */
  setWidth(width: number): void;
  /** Rows that the whole text takes in this width. */
  rows(cells: number): number;
  /** For an open search or completion. True = taken. */
  handleOverlayKey(key: KeyPress): boolean;
  /** For the text itself. True = taken. */
  handleKey(key: KeyPress): boolean;
  /** Does what a key bound to it would do. True = it meant something. */
  run(command: KeyCommand): boolean;
  /** Keys command what is written, as in Vim's normal mode, and each of them may. */
  isCommanded(): boolean;
  /** The key is Escape and another one that came in one read, and Vim waits for an Escape. */
  isEscaped(key: KeyPress): boolean;
  /** The draft with pastes unfolded. */
  text(): string;
  /** Another draft, e.g. from the person's editor. */
  setText(text: string): void;
  /** Takes the draft away; undo and yank bring it back. False when there is none. */
  clear(): boolean;
  /** Unfolds the paste at the cursor. False when there is none. */
  unfold(): boolean;
  /** Keys as in readline or as in Vim, from now on. */
  setVim(isVim: boolean): void;
  addHistory(past: PastPrompts): void;
  close(): void;
}

export function createPromptStore(options: {
  keymap: Keymap;
  commands: readonly CommandSpec[];
  clock: Clock;
  /** Edited as in Vim. */
  isVim?: boolean;
  files: (signal: AbortSignal) => Promise<readonly string[]>;
  /** What of the thread matters to keys. */
  scene: () => Pick<PromptScene, 'isRunning' | 'hasPending'>;
  onEffect: (effect: PromptEffect) => void;
}): PromptStore {
  const { keymap, commands, clock, onEffect } = options;
  const listeners = new Set<() => void>();
  let state: PromptState = options.isVim ? { ...emptyPrompt, vim: freshVim } : emptyPrompt;
  let width = 80;
  let cancelRefresh: (() => void) | undefined;

  const publish = (next: PromptState) => {
    if (next === state) return;
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const files = createFileSearch({ files: options.files, clock, onChange: () => refresh() });

  /** Looks for what to complete anew. */
  const refresh = () => {
    cancelRefresh?.();
    cancelRefresh = undefined;
    publish(completed(state));
  };
  /** A command's list is short and comes with the key; ranking files must not hold up the echo. */
  const refreshSoon = () => {
    const target = targetOf(state);
    if (target?.kind !== 'file') refresh();
    else cancelRefresh ??= clock.after(0, refresh);
  };

  const targetOf = ({
    editor,
    search,
    history,
    vim,
    wantsArgument,
  }: PromptState): CompletionTarget | undefined =>
    search ||
    history.index !== null ||
    // How the command is used is told first.
    (wantsArgument && !/\s\S/.test(editor.text)) ||
    (vim && vim.mode !== 'insert')
      ? undefined
      : completionTarget(editor.text, editor.cursor, commands);

  const completed = (current: PromptState): PromptState => {
    const target = targetOf(current);
    if (!target) {
      const isOpen = current.completion !== null || current.closedAt !== null;
      return isOpen ? { ...current, completion: null, closedAt: null } : current;
    }
    if (current.closedAt === target.from) return { ...current, completion: null };
    const completion = completionOf(target, current.completion);
    return { ...current, completion, closedAt: null };
  };

  const completionOf = (target: CompletionTarget, shown: Completion | null): Completion | null => {
    const items = itemsOf(target);
    if (items?.length === 0) return null;
    const isSame = shown?.target.from === target.from && shown.target.query === target.query;
    const first = target.query === '' ? -1 : 0;
    const selected = isSame && shown.selected < (items?.length ?? 0) ? shown.selected : first;
    return { target, items: items ?? [], selected, isLoading: items === undefined };
  };

  const itemsOf = (target: CompletionTarget) => {
    switch (target.kind) {
      case 'command':
        return commandItems(commands, target.query);
      case 'argument':
        return argumentItems(target.command, target.query);
      case 'file':
        return files.find(target.query);
    }
  };

  const scene = (): PromptScene => ({ keymap, commands, width, ...options.scene() });

  const take = (step: PromptStep | undefined): boolean => {
    if (!step) return false;
    const isChanged = step.state !== state;
    publish(step.state);
    if (isChanged) refreshSoon();
    if (step.effect) onEffect(step.effect);
    return true;
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setWidth(next) {
      width = next;
    },
    rows: (cells) => layoutOf(state.search?.shown ?? state.editor, cells).rows.length,
    handleOverlayKey(key) {
      // Keys that come in one read must find the popup that the ones before them opened.
      if (cancelRefresh && key.text === '') refresh();
      return take(overlayKey(state, key, scene()));
    },
    handleKey: (key) => take(promptKey(state, key, scene())),
    run: (command) => take(commandOnPrompt(state, command, scene())),
    isCommanded: () => state.vim !== null && state.vim.mode !== 'insert' && state.editor.text !== '',
    isEscaped: (key) => state.vim !== null && !state.search && escapesVim(state.vim, key),
    text: () => wholeText(state.editor),
    setText: (text) =>
      void take({ state: rebased({ ...state, search: null, editor: replaceAll(state.editor, text) }) }),
    clear() {
      if (state.editor.text === '') return false;
      const history = { ...state.history, index: null };
      return take({ state: rebased({ ...state, history, editor: clearText(state.editor) }) });
    },
    unfold() {
      const editor = unfoldChip(state.editor);
      return take(editor && { state: { ...state, editor } });
    },
    setVim(isVim) {
      if (isVim === (state.vim !== null)) return;
      take({ state: rebased({ ...state, vim: isVim ? freshVim : null }) });
    },
    addHistory({ texts, elsewhere = new Set() }) {
      const clean = (text: string) => cleanText(text).replaceAll(chipCharacters, '\ufffd');
      const foreign = new Set(Array.from(elsewhere, clean));
      publish({ ...state, history: addLoaded(state.history, texts.map(clean), foreign) });
    },
    close() {
      cancelRefresh?.();
      files.close();
      listeners.clear();
    },
  };
}
