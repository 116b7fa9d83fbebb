import { graphemes } from '#lib/text-width.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { pasteText, withText } from '../editor.ts';
import { overtypeOne } from './insert-session.ts';
import { onCharacter } from './lines.ts';
import { parseCommand } from './parse-command.ts';
import { leaveInsert, type Ran, runCommand } from './run-command.ts';
import type { VimScene } from './vim-state.ts';

/** Longer than any command with its counts; what is typed beyond it starts anew. */
const mostKeys = 16;

/** True when Escape has something to end here before it means anything to the screen. */
export function endsWithEscape({ mode, keys }: VimScene['vim']): boolean {
  return mode !== 'normal' || keys.length > 0;
}

/** Escape and the key behind it came in one read; a terminal sends the same for Alt with that key. */
function isEscapeAndKey({ name, ctrl, alt }: KeyPress): boolean {
  return alt && !ctrl && name.length === 1;
}

/** True for a key that begins with the Escape that Vim waits for. */
export function escapesVim(vim: VimScene['vim'], key: KeyPress): boolean {
  return isEscapeAndKey(key) && endsWithEscape(vim);
}

/** What a key does by the rules of Vim; undefined when they say nothing of it. Pure. */
export function vimKey(scene: VimScene, key: KeyPress): Ran | undefined {
  const { vim } = scene;
  if (isEscape(key)) return endsWithEscape(vim) ? leftByEscape(scene) : undefined;
  if (isEscapeAndKey(key)) {
    const left = endsWithEscape(vim) ? leftByEscape(scene) : scene;
    const text = key.shift ? key.name.toUpperCase() : key.name;
    return vimKey(left, { ...key, alt: false, shift: false, text }) ?? left;
  }
  if (vim.mode === 'insert') return undefined;
  if (vim.mode === 'replace') return replaceKey(scene, key);
  if (key.name === 'paste' || key.text.length > mostTyped) return pasted(scene, key.text);
  const token = tokenOf(key);
  if (token === undefined) return undefined;
  const isVisual = vim.mode !== 'normal';
  // Enter sends, Tab queues, whatever is selected.
  if ((token === '<CR>' || token === '<Tab>') && vim.keys.length === 0) return undefined;
  const keys = [...vim.keys, token];
  const parsed = parseCommand(keys, { isVisual });
  if (parsed === 'bad' || (parsed === 'more' && keys.length > mostKeys))
    return { ...scene, vim: { ...vim, keys: [] } };
  return parsed === 'more' ? { ...scene, vim: { ...vim, keys } } : runCommand(scene, parsed);
}

/** More characters in one key come from no hand. */
const mostTyped = 32;

function isEscape(key: KeyPress): boolean {
  return (key.name === 'escape' && !key.alt) || (key.ctrl && key.name === '[');
}

function leftByEscape(scene: VimScene): Ran {
  const { editor, vim } = scene;
  if (vim.mode === 'insert' || vim.mode === 'replace') return leaveInsert(scene);
  if (vim.keys.length > 0) return { editor, vim: { ...vim, keys: [] } };
  const cursor = onCharacter(editor.text, editor.cursor);
  return { editor: { ...editor, cursor }, vim: { ...vim, mode: 'normal', goal: null } };
}

function replaceKey(scene: VimScene, key: KeyPress): Ran | undefined {
  const { vim } = scene;
  if (key.name === 'backspace' && !key.ctrl && !key.alt) return restored(scene);
  if (key.text === '' || key.name === 'paste') return undefined;
  return graphemes(key.text).reduce<VimScene>(
    ({ editor, vim: now }, character) => {
      const written = overtypeOne(editor, character);
      return { editor: written.editor, vim: { ...now, overtyped: [...now.overtyped, written.over] } };
    },
    { editor: scene.editor, vim },
  );
}

/** Backspace brings back what was written over. */
function restored({ editor, vim }: VimScene): Ran {
  const over = vim.overtyped.at(-1);
  const at = editor.cursor;
  if (over === undefined || at === 0) return { editor, vim };
  const last = graphemes(editor.text.slice(0, at)).at(-1)?.length ?? 1;
  const text = editor.text.slice(0, at - last) + over + editor.text.slice(at);
  return {
    editor: withText(editor, { text, cursor: at - last }),
    vim: { ...vim, overtyped: vim.overtyped.slice(0, -1) },
  };
}

/** A paste is text, not a row of commands. */
function pasted({ editor, vim }: VimScene, text: string): Ran {
  const next = pasteText(editor, text);
  return {
    editor: { ...next, cursor: onCharacter(next.text, next.cursor) },
    vim: { ...vim, mode: 'normal', keys: [], goal: null },
  };
}

const named: Readonly<Partial<Record<string, string>>> = {
  enter: '<CR>',
  tab: '<Tab>',
  backspace: '<BS>',
  delete: '<Del>',
  left: '<Left>',
  right: '<Right>',
  up: '<Up>',
  down: '<Down>',
  home: '<Home>',
  end: '<End>',
};
const withCtrl: Readonly<Partial<Record<string, string>>> = { r: '<C-r>', a: '<C-a>', x: '<C-x>' };

/** The key as commands name it; undefined for one that is no part of any. */
function tokenOf({ name, ctrl, alt, shift, text }: KeyPress): string | undefined {
  if (text === ' ') return '<Space>';
  if (text !== '') return text;
  if (ctrl) return alt || shift ? undefined : withCtrl[name];
  return alt || shift ? undefined : named[name];
}
