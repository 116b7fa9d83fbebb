import { expect, test } from 'vitest';
import { createFakePort } from '../../support/ui/fake-port.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

test('a popup of files opens above the prompt and goes away once one is taken', async () => {
  const { terminal } = await mountScreen();
  terminal.type('see @total');
  await terminal.shows('❯ src/cart/total.ts');
  expect(terminal.rows().slice(18, 22)).toEqual([
    '  ❯ src/cart/total.ts',
    '    src/cart/total.test.ts',
    `  ${'─'.repeat(76)}`,
    '  ❯ see @total',
  ]);
  terminal.type('\x1b[B\t');
  await terminal.shows('❯ see @src/cart/total.test.ts');
  await terminal.hides('    src/cart/total.test.ts\n');
});

test('a list of files that takes long shows that it is being read', async () => {
  let answer = (_files: readonly string[]): void => undefined;
  const files = new Promise<readonly string[]>((resolve) => {
    answer = resolve;
  });
  const { terminal } = await mountScreen({ port: createFakePort({ files: () => files }) });
  terminal.type('@');
  await terminal.shows('reading the list of files');
  terminal.type('re');
  await terminal.shows('❯ @re');
  answer(['README.md']);
  await terminal.shows('❯ README.md');
});

test('the popup shows eight rows of a longer list and moves with the selection', async () => {
  const files = Array.from({ length: 30 }, (_, index) => `file${String(index).padStart(2, '0')}.ts`);
  const commands = files.map((name) => ({ name: name.slice(0, 6), aliases: [], summary: 'x', args: '' }));
  const { terminal } = await mountScreen({ port: createFakePort({ commands }) });
  terminal.type('/');
  await terminal.shows('/file07');
  expect(terminal.text()).not.toContain('/file08');
  expect(terminal.text()).toContain('↓ 22 more');
  for (let step = 0; step < 10; step += 1) terminal.type('\x1b[B');
  await terminal.shows('❯ /file09');
  expect(terminal.text()).toContain('/file02');
  expect(terminal.text()).not.toContain('/file01');
});

test('prompts of earlier sessions are there with up and with ctrl+r', async () => {
  const { terminal, port } = await mountScreen();
  await terminal.shows('main ±2');
  terminal.type('draft');
  terminal.type('\x1b[A');
  await terminal.shows('❯ second prompt');
  terminal.type('\x1b[B');
  await terminal.shows('❯ draft');
  terminal.type('\x12fir');
  await terminal.shows('search history: fir');
  await terminal.shows('❯ first prompt');
  await waitFor(() => terminal.cursor().y === 19);
  expect(terminal.cursor()).toEqual({ x: 21, y: 19, isShown: true });
  terminal.type('\r');
  await terminal.hides('search history');
  expect(port.handle.submitted).toEqual([]);
  terminal.type('\r');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toMatchObject([{ text: 'first prompt' }]);
});

test('keys that come faster than any person types them stay in order', async () => {
  const { terminal } = await mountScreen();
  const text = 'the quick brown fox jumps over the lazy dog';
  for (const character of text) terminal.type(character);
  await terminal.shows(`❯ ${text}`);
});

test('shift, alt and ctrl with enter, ctrl+j and a backslash make a new line', async () => {
  const { terminal, port } = await mountScreen();
  for (const newline of ['\x1b[13;2u', '\x1b\r', '\x1b[13;5u', '\x1b[27;2;13~', '\n', '\\\r']) {
    terminal.type('x');
    terminal.type(newline);
  }
  terminal.type('end');
  await terminal.shows('    end');
  expect(port.handle.submitted).toEqual([]);
  terminal.type('\r');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toMatchObject([{ text: 'x\nx\nx\nx\nx\nx\nend' }]);
});

test('ctrl+c takes the draft away and ctrl+y brings it back', async () => {
  const { terminal } = await mountScreen();
  terminal.type('precious');
  await terminal.shows('❯ precious');
  terminal.type('\x03');
  await terminal.shows('❯ say what to do');
  terminal.type('\x19');
  await terminal.shows('❯ precious');
});

test('ctrl+o unfolds the paste at the cursor', async () => {
  const { terminal } = await mountScreen();
  terminal.type(`\x1b[200~${Array.from({ length: 7 }, (_, index) => `line ${index}`).join('\n')}\x1b[201~`);
  await terminal.shows('[pasted 7 lines]');
  terminal.type('\x0f');
  await terminal.shows('line 6');
  await terminal.hides('pasted');
});

test('the status line tells where a prompt edited as in vim is', async () => {
  const { terminal } = await mountScreen({ port: createFakePort({ editorMode: 'vim' }) });
  await terminal.shows('  INSERT');
  terminal.type('one two');
  await terminal.shows('❯ one two');
  terminal.type('\x1b');
  await terminal.shows('  NORMAL');
  terminal.type('2');
  await terminal.shows('  NORMAL 2');
  terminal.type('bvl');
  await terminal.shows('  VISUAL');
});

test('a draft put aside is told of, and ctrl+s brings it back', async () => {
  const { terminal } = await mountScreen();
  terminal.type('a long draft');
  await terminal.shows('❯ a long draft');
  terminal.type('\x13');
  await terminal.shows('ctrl+s brings the draft back');
  terminal.type('\x13');
  await terminal.shows('❯ a long draft');
});

test('a command that needs an argument says so above the prompt', async () => {
  const commands = [{ name: 'rename', aliases: [], summary: 'name the thread', args: '<name>' }];
  const { terminal, port } = await mountScreen({ port: createFakePort({ commands }) });
  terminal.type('/rename');
  await terminal.shows('❯ /rename');
  terminal.type('\r');
  await terminal.shows('    /rename <name>   name the thread');
  expect(port.handle.submitted).toEqual([]);
});
