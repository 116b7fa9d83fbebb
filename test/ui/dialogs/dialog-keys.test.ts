import { expect, test } from 'vitest';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionRequest } from '#protocol/permission.ts';
import { guardMs } from '#ui/dialogs/typing-guard.ts';
import { createFakePort } from '../../support/ui/fake-port.ts';
import type { FakeTerminal } from '../../support/ui/fake-terminal.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { waitFor } from '../../support/ui/wait-for.ts';
import { commandRequest } from '../../unit/ui/dialogs/support.ts';
import { choices } from './gallery.ts';

/** The screen with a request on it, ready for keys: they light up when the dialog takes them. */
async function asked(request: PermissionRequest) {
  const mounted = await mountScreen();
  const { terminal, port } = mounted;
  await terminal.shows('say what to do');
  port.handle.emit({ kind: 'turn-start' }, { kind: 'permission-request', request });
  await waitFor(() => terminal.output().includes('\x1b[1my'));
  return mounted;
}

async function opened(
  dialog: 'model' | 'threads' | 'help',
  changes: Parameters<typeof createFakePort>[0] = {},
) {
  const port = createFakePort(changes);
  port.outcomes[`/${dialog}`] = { kind: 'dialog', dialog };
  const { terminal } = await mountScreen({ port });
  await terminal.shows('say what to do');
  terminal.type(`/${dialog}`);
  await terminal.shows(`❯ /${dialog}`);
  terminal.type('\x1b');
  await terminal.shows('runs it');
  terminal.type('\r');
  await terminal.shows('type to filter');
  return { terminal, port };
}

const filterRow = (terminal: FakeTerminal) => terminal.rows().find((row) => row.startsWith('│ ›')) ?? '';

test('a request stands in the place of the prompt until it is answered', async () => {
  const { terminal, port } = await asked(commandRequest());
  expect(terminal.text()).not.toContain('❯');
  terminal.type('y');
  await terminal.hides('bash wants to run');
  expect(port.handle.submitted).toEqual([
    { kind: 'answer-permission', requestId: 'request-1', answer: { kind: 'once' } },
  ]);
});

test('Escape says no and stops the turn', async () => {
  const { terminal, port } = await asked(commandRequest());
  terminal.type('\x1b');
  await terminal.hides('bash wants to run');
  expect(port.handle.submitted).toEqual([
    { kind: 'answer-permission', requestId: 'request-1', answer: { kind: 'reject' } },
    { kind: 'interrupt' },
  ]);
});

test('a long command scrolls with keys and wheel to its last line', async () => {
  const command = Array.from({ length: 60 }, (_, line) => `echo line ${line};`).join('\n');
  const { terminal } = await asked(commandRequest({ command, input: { command } }));
  expect(terminal.text()).toMatch(/… \d+ more lines ↓/);
  terminal.type('\x1b[6~');
  await terminal.shows(/… \d+ more lines ↓ +\d+ ↑/);
  terminal.type('\x1b[<65;10;10M');
  await terminal.hides('echo line 8;');
  terminal.type('\x1b[F');
  await terminal.shows('echo line 59;');
  expect(terminal.text()).toMatch(/… \d+ more lines ↑/);
});

test('a dialog fits its window again after the window changed', async () => {
  const { terminal } = await asked(commandRequest());
  terminal.resize(40, 10);
  await terminal.shows('a always…');
  await waitFor(
    () => terminal.rows()[1]?.startsWith('┌ bash wants to run') && terminal.rows()[8]?.startsWith('└'),
  );
});

test('a filter and Enter in one read choose what was typed', async () => {
  const chosen: ModelRef[] = [];
  const { terminal } = await opened('model', {
    async *modelChoices() {
      yield choices;
    },
    chooseModel: async (ref) => {
      chosen.push(ref);
      return { kind: 'none' };
    },
  });
  await terminal.shows('large-1');
  // Enter right behind the one that opened the list would choose nothing.
  const isOpenSince = Date.now();
  await waitFor(() => Date.now() - isOpenSince > guardMs);
  terminal.type('lrage\x7f\x7f\x7f\x7f\x1b[Da\x1b[D\x1b[C\x15large\r');
  await terminal.hides('type to filter');
  expect(chosen).toEqual([{ provider: 'anthropic', model: 'large-1' }]);
});

test('no key of a fast typist is lost in a field, and the cursor stands where the next one goes', async () => {
  const { terminal } = await opened('help');
  const { y } = terminal.cursor();
  for (const key of 'abc') terminal.type(key);
  terminal.type('\x7f\x7f\x7fundo');
  await waitFor(() => filterRow(terminal).includes('› undo'));
  expect(terminal.cursor()).toEqual({ x: 2 + '› undo'.length, y, isShown: true });
  terminal.type('\x15日本語\x1b[Z');
  await waitFor(() => filterRow(terminal).includes('日本語'));
  expect(terminal.cursor()).toMatchObject({ x: 2 + '› '.length + 6, isShown: true });
});

test('a paste goes into the field as one line', async () => {
  const { terminal } = await opened('help');
  terminal.type('\x1b[200~two\rlines\r\x1b[201~');
  await waitFor(() => filterRow(terminal).includes('› two lines'));
});

test('the prompt has the cursor again when a dialog closes', async () => {
  const { terminal } = await opened('help');
  terminal.type('\x1b');
  await terminal.shows('say what to do');
  await waitFor(() => terminal.cursor().x === 4 && terminal.cursor().isShown);
});
