import type { KeyPress } from '#ui/input/key-press.ts';
import { edit, insertText } from '#ui/prompt/editor.ts';
import type { vimKey } from '#ui/prompt/vim/vim-key.ts';
import type { VimScene } from '#ui/prompt/vim/vim-state.ts';

const named: Readonly<Partial<Record<string, Partial<KeyPress>>>> = {
  '<Esc>': { name: 'escape' },
  '<CR>': { name: 'enter' },
  '<BS>': { name: 'backspace' },
  '<Space>': { name: 'space', text: ' ' },
  '<C-r>': { name: 'r', ctrl: true },
  '<C-a>': { name: 'a', ctrl: true },
  '<C-x>': { name: 'x', ctrl: true },
};

/** Keys as Vim writes them: `dw`, `<Esc>`, `<C-r>`. */
export function vimKeys(keys: string): KeyPress[] {
  return Array.from(keys.matchAll(/<[A-Za-z][A-Za-z-]*>|[\s\S]/gu), ([key]) => {
    const known = named[key] ?? { name: key.toLowerCase(), text: key, shift: /^[A-Z]$/.test(key) };
    return { name: '', ctrl: false, alt: false, shift: false, text: '', ...known };
  });
}

/** What the rules of Vim leave alone is typed into the text, as the prompt does. */
export function pressVim(scene: VimScene, keys: string, press: typeof vimKey): VimScene {
  let now = scene;
  for (const key of vimKeys(keys)) {
    const typed =
      key.name === 'backspace' ? edit(now.editor, 'erase-left', 80) : insertText(now.editor, key.text);
    now = press(now, key) ?? { ...now, editor: typed };
  }
  return now;
}
