import { expect, test } from 'vitest';
import { emptyEditor, insertText } from '#ui/prompt/editor.ts';
import { vimKey } from '#ui/prompt/vim/vim-key.ts';
import { freshVim } from '#ui/prompt/vim/vim-state.ts';
import { pressVim } from '../../../support/ui/vim-keys.ts';

function after(marked: string, keys: string): string {
  const cursor = marked.indexOf('|');
  const editor = { ...insertText(emptyEditor, marked.replace('|', '')), cursor };
  const scene = pressVim({ editor, vim: { ...freshVim, mode: 'normal', session: null } }, keys, vimKey);
  const { text, cursor: at } = scene.editor;
  return `${text.slice(0, at)}|${text.slice(at)}`;
}

test('a script without blanks is walked word by word, which Vim itself does not', () => {
  expect(after('|日本語を書く', 'w')).toBe('日本語|を書く');
  expect(after('|日本語を書く', 'dw')).toBe('|を書く');
  expect(after('日本語を|書く', 'db')).toBe('日本語|書く');
  expect(after('|日本語を書く', 'diw')).toBe('|を書く');
});

test('an emoji and a letter with its accent are one character each', () => {
  expect(after('|👩‍👩‍👧‍👦b', 'x')).toBe('|b');
  expect(after('|e\u0301b', 'x')).toBe('|b');
  expect(after('a|👍🏽b', 'rX')).toBe('a|Xb');
  expect(after('|ab日c', 'f日x')).toBe('ab|c');
  expect(after('|日本', 'xp')).toBe('本|日');
});
