// A whole program around the screen, for tests in a real terminal; its thread does what a few prompts ask for.
import { startScreen } from '#ui/screen.tsx';
import { createFakeHandle, createFakePort } from './fake-port.ts';

const handle = createFakeHandle();
const submit = handle.submit;
handle.submit = (action) => {
  submit(action);
  if (action.kind !== 'prompt') return;
  const message = {
    id: `m${handle.submitted.length}`,
    role: 'user' as const,
    parts: [{ id: 'p', kind: 'text' as const, text: `got: ${action.text}` }],
    createdAt: 0,
  };
  handle.emit({ kind: 'message-added', message });
  if (action.text === 'break it') handle.emit({ kind: 'todos-changed', todos: null as never });
};

const port = createFakePort({ handle, editorCommand: JSON.parse(process.env['TEST_EDITOR'] ?? '["true"]') });
process.stdin.setRawMode(true);
try {
  const { stdin, stdout, stderr, env } = process;
  const end = await startScreen(port, { stdin, stdout, stderr, env });
  for (const line of end.farewell) process.stdout.write(`${line}\n`);
  process.stdout.write(`ended: ${end.exit}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
