import type { KeyPress } from '../input/key-press.ts';
import type { KeyCommand } from '../input/keymap.ts';
import type { PromptScene, PromptState, PromptStep } from './prompt-state.ts';
import { rebase } from './vim/insert-session.ts';
import { onCharacter } from './vim/lines.ts';
import { endsWithEscape, vimKey } from './vim/vim-key.ts';
import { resetVim, type VimState } from './vim/vim-state.ts';

/** What the prompt does without Vim. */
type PlainPrompt = {
  key(state: PromptState, key: KeyPress, scene: PromptScene): PromptStep | undefined;
  command(state: PromptState, command: KeyCommand, scene: PromptScene): PromptStep | undefined;
};

type Place = { readonly key: KeyPress; readonly scene: PromptScene; readonly plain: PlainPrompt };

/** Escape that ends an insertion, a selection or half a command; it is not for the screen then. */
export function vimEscape(state: PromptState, key: KeyPress): PromptStep | undefined {
  const { vim, editor } = state;
  if (!vim || state.search || !isEscape(key) || !endsWithEscape(vim)) return undefined;
  const ran = vimKey({ editor, vim }, key);
  return ran && { state: { ...state, editor: ran.editor, vim: ran.vim, completion: null } };
}

function isEscape({ name, ctrl, alt }: KeyPress): boolean {
  return (name === 'escape' && !alt) || (ctrl && name === '[');
}

/** What a key does when the prompt is edited as in Vim: its rules first, then those of every prompt. */
export function vimPromptKey(
  state: PromptState,
  vim: VimState,
  { key, scene, plain }: Place,
): PromptStep | undefined {
  const { editor } = state;
  if (vim.mode === 'normal' && vim.keys.length === 0) {
    const begun = fromNormalMode(state, vim, { key, scene, plain });
    if (begun) return begun;
  }
  const ran = vimKey({ editor, vim }, key);
  if (!ran) return followed(state, plain.key(state, key, scene));
  const isSameText = ran.editor.text === editor.text;
  const history = isSameText ? state.history : { ...state.history, index: null };
  const next = { ...state, editor: ran.editor, vim: ran.vim, history };
  if (ran.edge) return followed(next, plain.command(next, ran.edge, scene));
  return ran.copied === undefined
    ? { state: next }
    : { state: next, effect: { kind: 'copy', text: ran.copied } };
}

/** Keys that begin something of the program's own in an empty prompt, and the search in the history. */
function fromNormalMode(
  state: PromptState,
  vim: VimState,
  { key, scene, plain }: Place,
): PromptStep | undefined {
  const isEmpty = state.editor.text === '';
  if (isEmpty && key.text === '?') return plain.key(state, key, scene);
  if (isEmpty && (key.text === '/' || key.text === '!')) {
    const typing = { ...state, vim: resetVim(vim) };
    return plain.key(typing, key, scene);
  }
  return key.text === '/' || key.text === '?' ? plain.command(state, 'history-search', scene) : undefined;
}

/** Brings the state of Vim after what the prompt itself did with the text. */
export function followed(before: PromptState, step: PromptStep | undefined): PromptStep | undefined {
  if (!step || step.state.editor === before.editor || !step.state.vim) return step;
  const isSent = step.effect?.kind === 'send' || step.effect?.kind === 'go-on';
  if (isSent) return { ...step, state: { ...step.state, vim: resetVim(step.state.vim) } };
  const hasWalked = step.state.history.index !== null || before.history.index !== null;
  const isTyping = step.state.vim.mode === 'insert' || step.state.vim.mode === 'replace';
  return isTyping && !hasWalked ? step : { ...step, state: rebased(step.state) };
}

/** The text came from elsewhere: what Vim remembers of the insertion begins there. */
export function rebased(state: PromptState): PromptState {
  const { vim, editor } = state;
  if (!vim) return state;
  const next = rebase(vim, editor);
  if (next.mode !== 'normal') return { ...state, vim: next };
  return { ...state, vim: next, editor: { ...editor, cursor: onCharacter(editor.text, editor.cursor) } };
}

/** What the status line says of it: the mode, and the keys of half a command. */
export function vimLabel(vim: VimState | null): string {
  if (!vim) return '';
  return [labels[vim.mode], vim.keys.join('')].filter((part) => part !== '').join(' ');
}

const labels: Readonly<Record<VimState['mode'], string>> = {
  insert: 'INSERT',
  replace: 'REPLACE',
  normal: 'NORMAL',
  visual: 'VISUAL',
  'visual-line': 'V-LINE',
};
