import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { log } from '#lib/log.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import type { PromptHistory } from '#protocol/screen-port.ts';

const kept = 1_000;
/** The file is cut back when it has grown to this many lines. */
const cutAt = 2_000;
const maxBytes = 268_435_456;

/** Prompts of all sessions in one file, one JSON string a line; several processes may append to it. */
export function createPromptHistory(home: string): PromptHistory {
  const file = path.join(home, 'history.jsonl');
  let last: string | undefined;
  let writing: Promise<void> = Promise.resolve();

  return {
    async load() {
      const prompts = await readPrompts(file);
      last = prompts.at(-1);
      if (prompts.length > cutAt) await shorten(file, prompts);
      return prompts.slice(-kept);
    },
    add(text) {
      if (text.trim() === '' || text === last) return;
      last = text;
      writing = writing.then(() => append(file, text));
    },
  };
}

async function readPrompts(file: string): Promise<string[]> {
  const read = await readRegularFile(file, { maxBytes });
  const text = 'kind' in read ? '' : read.bytes.toString('utf8'); // No history yet, or none that can be read.
  return text.split('\n').flatMap((line) => {
    try {
      const prompt: unknown = JSON.parse(line);
      return typeof prompt === 'string' ? [prompt] : [];
    } catch {
      return []; // An empty line, or one that a full disk cut.
    }
  });
}

async function append(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
  } catch (error) {
    log('a prompt was not added to the history:', error);
  }
}

async function shorten(file: string, prompts: readonly string[]): Promise<void> {
  const { writePrivateFile } = await import('#lib/atomic-file.ts');
  const lines = prompts.slice(-kept).map((prompt) => `${JSON.stringify(prompt)}\n`);
  await writePrivateFile(file, lines.join('')).catch((error: unknown) =>
    log('the history was not cut:', error),
  );
}
