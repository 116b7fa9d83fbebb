import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emptyEditor, insertText } from '#ui/prompt/editor.ts';
import { vimKey } from '#ui/prompt/vim/vim-key.ts';
import { freshVim, type VimScene } from '#ui/prompt/vim/vim-state.ts';
import { pressVim } from '../../../support/ui/vim-keys.ts';

/**
 * One case a row: text with the cursor as `|`, keys, the text and the cursor after them, the unnamed register after
 * them. What stands in the last two columns is what Vim 9 did with the keys (nocp, sw=2, et, noai).
 */
const file = new URL('../../../fixtures/vim/cases.tsv', import.meta.url);

type Case = { section: string; before: string; keys: string; after: string; register: string };

function readCases(): Case[] {
  let section = '';
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) section = line.slice(2);
      if (line === '' || line.startsWith('# ')) return [];
      const [before = '', keys = '', after = '', register = ''] = line.split('\t');
      return [{ section, before: plain(before), keys, after: plain(after), register: plain(register) }];
    });
}

function plain(text: string): string {
  return text.replaceAll(/\\([\\nt])/g, (_, mark) => ({ n: '\n', t: '\t' })[mark as string] ?? mark);
}

function sceneOf(marked: string): VimScene {
  const cursor = marked.indexOf('|');
  const editor = insertText(emptyEditor, marked.slice(0, cursor) + marked.slice(cursor + 1));
  return {
    editor: { ...editor, undo: [], cursor },
    vim: { ...freshVim, mode: 'normal', session: null },
  };
}

const cases = readCases();
const bySection = Map.groupBy(cases, ({ section }) => section);

test('the corpus has all it should have', () => {
  expect(cases.length).toBeGreaterThan(400);
});

for (const [section, rows] of bySection) {
  test(`vim: ${section}`, () => {
    const outcomes = rows.map(({ before, keys }) => {
      const { editor, vim } = pressVim(sceneOf(before), keys, vimKey);
      const { text, cursor } = editor;
      const used = vim.registers.get('"');
      const register = used ? used.text + (used.isLinewise ? '\n' : '') : '';
      return { section, before, keys, after: `${text.slice(0, cursor)}|${text.slice(cursor)}`, register };
    });
    expect(outcomes).toEqual(rows);
  });
}
