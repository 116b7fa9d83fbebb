import { test } from 'vitest';
import { createFakePort } from '../../support/ui/fake-port.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const ctrlP = '\x10';
const ctrlX = '\x18';

test('the palette finds commands and actions by their words, shows their keys and runs what is chosen', async () => {
  const port = createFakePort();
  const { terminal } = await mountScreen({ port });
  terminal.type(ctrlP);
  await terminal.shows('commands and actions');
  terminal.type('exit');
  await terminal.shows('› exit');
  await terminal.shows('❯ /exit');
  terminal.type('\r');
  await waitFor(() => port.lines.includes('/exit'));
  await terminal.hides('commands and actions');
  // What was chosen last stands first.
  terminal.type(ctrlP);
  await terminal.shows('commands and actions');
  await terminal.shows('❯ /exit');
  terminal.type('\x1b');
  await terminal.hides('commands and actions');
});

test('a key of the person does what it is bound to, and a chord shows what can come next', async () => {
  const binding = { context: 'screen', origin: 'keybindings.json', line: 3 };
  const port = createFakePort({
    keyBindings: {
      bindings: [
        { ...binding, keys: 'f6', action: 'palette' },
        { ...binding, keys: 'ctrl+p', action: null },
      ],
      hintDelayMs: 1,
    },
  });
  const { terminal } = await mountScreen({ port });
  terminal.type('\x1b[17~');
  await terminal.shows('commands and actions');
  terminal.type('\x1b');
  await terminal.hides('commands and actions');
  terminal.type(ctrlX);
  await terminal.shows('Ctrl+X …   Esc leaves');
  terminal.type('l');
  await waitFor(() => port.lines.includes('/resume'));
});
