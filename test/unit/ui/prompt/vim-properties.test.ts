import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultKeymap } from '#ui/input/keymap.ts';
import { edit } from '#ui/prompt/editor.ts';
import { overlayKey, promptKey } from '#ui/prompt/prompt-key.ts';
import { emptyPrompt, type PromptScene, type PromptState } from '#ui/prompt/prompt-state.ts';
import { lineEnd, lineStart, snapForward } from '#ui/prompt/text-units.ts';
import { freshVim } from '#ui/prompt/vim/vim-state.ts';
import { vimKeys } from '../../../support/ui/vim-keys.ts';

const scene: PromptScene = {
  keymap: defaultKeymap,
  commands: [],
  width: 20,
  isRunning: false,
  hasPending: false,
};
const start: PromptState = { ...emptyPrompt, vim: freshVim };

const texts = fc.constantFrom(
  'one two\n  (three [four])\n\nfive "six" \'x\'',
  '日本語を書く\nこんにちは world',
  '👩‍👩‍👧‍👦 e\u0301 🇩🇪\n<b>1️⃣ 2</b>',
  '',
  '\n\n',
);
const keys = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(...'hjklwbeWBE0^$G{}%;,xXdcy><~pPuJrRiIaAoOsSvVDCY.123"tfgq!z( 語'),
  },
  { weight: 2, arbitrary: fc.constantFrom('<Esc>', '<C-r>', '<C-a>', '<BS>', '<Space>', '👍🏽', '\u0301') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'diw',
      'ciw',
      'yap',
      'da(',
      'ci"',
      'dit',
      'gUU',
      'gg',
      'dd',
      'p',
      'v',
      '<Esc>',
    ),
  },
);

function press(state: PromptState, typed: string): PromptState {
  return vimKeys(typed).reduce((now, key) => {
    const step = overlayKey(now, key, scene) ?? promptKey(now, key, scene);
    return step?.state ?? now;
  }, state);
}

test('any keys keep the cursor on a character, and undoing all of them brings the first text back', () => {
  fc.assert(
    fc.property(texts, fc.array(keys, { maxLength: 40 }), (text, typed) => {
      const begun = press(
        { ...start, editor: edit({ ...start.editor, text, cursor: 0 }, 'left', 20) },
        '<Esc>',
      );
      let state = begun;
      for (const key of typed) {
        state = press(state, key);
        const { editor, vim } = state;
        expect(snapForward(editor.text, editor.cursor)).toBe(editor.cursor);
        expect(editor.text.isWellFormed()).toBe(true);
        const isOnEnd = editor.cursor === lineEnd(editor.text, editor.cursor);
        const isEmptyLine = editor.cursor === lineStart(editor.text, editor.cursor);
        if (vim?.mode === 'normal' && isOnEnd) expect(isEmptyLine).toBe(true);
      }
      state = press(state, '<Esc><Esc><Esc><Esc>');
      const last = state.editor.text;
      state = press(state, '999u');
      expect(state.editor.text).toBe('');
      state = press(state, '999<C-r>');
      if (!typed.some((key) => key.includes('u') || key === '<C-r>')) expect(state.editor.text).toBe(last);
    }),
    { numRuns: 600 },
  );
});
