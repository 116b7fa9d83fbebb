import { expect, test } from 'vitest';
import { createFakePort } from '../../support/ui/fake-port.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const long = `the gift card is taken off before the percentage ${'and so on '.repeat(8)}to the end`;

async function open(mouse: 'on' | 'off') {
  const port = createFakePort({ mouse });
  const screen = await mountScreen({ port });
  const say = (id: string, text: string) =>
    port.handle.emit({
      kind: 'message-added',
      message: { id, role: 'user', parts: [{ id: `${id}-p`, kind: 'text', text }], createdAt: 0 },
    });
  return { ...screen, say };
}

/** Where the words stand, counted from 1 as the terminal does. */
function placeOf(rows: readonly string[], words: string) {
  const row = rows.findIndex((each) => each.includes(words));
  return { row: row + 1, column: (rows[row]?.indexOf(words) ?? 0) + 1 };
}

test('a drag selects, its release copies what was written, and the status line says so', async () => {
  const { terminal, say } = await open('on');
  say('m1', long);
  await terminal.shows('to the end');
  const from = placeOf(terminal.rows(), 'gift card');
  const to = placeOf(terminal.rows(), 'to the end');
  expect(to.row).toBeGreaterThan(from.row);
  terminal.type(`\x1b[<0;${from.column};${from.row}M\x1b[<32;${from.column + 3};${from.row}M`);
  terminal.type(`\x1b[<32;${to.column + 9};${to.row}M\x1b[<0;${to.column + 9};${to.row}m`);
  const copied = long.slice(long.indexOf('gift card'));
  await waitFor(() => terminal.output().includes(`\x1b]52;c;${base64(copied)}\x07`));
  await terminal.shows('✓ copied 1 line');
  expect(terminal.cells()[from.row - 1]).toMatch(/g\(\S+ \S+ 10001\)/);
  terminal.type('x');
  await waitFor(() => !/g\(\S+ \S+ 10001\)/.test(terminal.cells()[from.row - 1] ?? ''));
});

test('without the mouse a burst of arrows is the wheel, and a single arrow is the key', async () => {
  const { terminal, say } = await open('off');
  expect(terminal.output()).toContain('\x1b[?1007h');
  expect(terminal.output()).not.toContain('\x1b[?1000h');
  for (let index = 0; index < 40; index += 1) say(`m${index}`, `question ${index}`);
  await terminal.shows('question 39');
  terminal.type('\x1bOA'.repeat(3));
  await terminal.hides('question 39');
  terminal.type('\x1b[B'.repeat(6));
  await terminal.shows('question 39');
  terminal.type('\x1b[A');
  await terminal.shows('second prompt');
});

test('keys lead from prompt to prompt, and to the end where nothing is typed', async () => {
  const { terminal, say } = await open('on');
  for (let index = 0; index < 40; index += 1) say(`m${index}`, `question ${index}`);
  await terminal.shows('question 39');
  const before = terminal.rows()[0] ?? '';
  terminal.type('\x1b[1;3A');
  await waitFor(() => terminal.rows()[0] !== before && terminal.rows()[0]?.includes('question') === true);
  terminal.type('\x1b[1;5A');
  await terminal.hides('question 39');
  await terminal.shows('more below');
  terminal.type('\x1b[F');
  await terminal.shows('question 39');
});
