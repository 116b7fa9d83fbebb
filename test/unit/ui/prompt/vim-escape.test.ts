import { expect, test } from 'vitest';
import { escapesVim } from '#ui/prompt/vim/vim-key.ts';
import { freshVim } from '#ui/prompt/vim/vim-state.ts';

test('a letter that came together with Escape is for Vim where it waits for an Escape', () => {
  const key = (name: string, more = {}) => ({
    name,
    ctrl: false,
    alt: true,
    shift: false,
    text: '',
    ...more,
  });
  const typing = { ...freshVim, mode: 'insert' as const };
  const commanded = { ...freshVim, mode: 'normal' as const };
  expect(escapesVim(typing, key('x'))).toBe(true);
  expect(escapesVim({ ...commanded, keys: ['d'] } as never, key('x'))).toBe(true);
  expect(escapesVim(commanded, key('x'))).toBe(false);
  expect(escapesVim(typing, key('enter'))).toBe(false);
  expect(escapesVim(typing, key('x', { alt: false, text: 'x' }))).toBe(false);
});
