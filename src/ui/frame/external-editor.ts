import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAttached } from './run-attached.ts';

/**
 * Lets the person edit a text in their own editor, which has the terminal meanwhile. undefined: they changed
 * nothing, or left it with an error. Rejects when there is no such editor.
 */
export async function editOutside(text: string, command: readonly string[]): Promise<string | undefined> {
  const [file, ...args] = command;
  if (file === undefined) throw new Error('no editor is set; set $VISUAL or $EDITOR');
  const folder = await mkdtemp(path.join(tmpdir(), 'llmcode-'));
  const draft = path.join(folder, 'prompt.md');
  try {
    await writeFile(draft, text, { mode: 0o600 });
    const code = await runAttached(file, [...args, draft]);
    if (code !== 0) return undefined;
    const edited = (await readFile(draft, 'utf8')).replace(/\n$/, '');
    return edited === text ? undefined : edited;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
