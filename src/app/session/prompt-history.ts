import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { log } from '#lib/log.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import type { PastPrompts, PromptHistory } from '#protocol/screen-port.ts';
import { isRecord } from '../settings/settings-object.ts';

const kept = 1_000;
/** The file is cut back when it has grown to this many lines. */
const cutAt = 2_000;
const maxBytes = 268_435_456;

/** A line of the file. Older ones are the text alone, said in a project that nobody knows. */
type Line = { readonly text: string; readonly project?: string };

/**
 * Prompts of all sessions in one file, one JSON object a line; several processes may append to it. `project`: the
 * folder that the session works in now.
 */
export function createPromptHistory(home: string, { project }: { project: () => string }): PromptHistory {
  const file = path.join(home, 'history.jsonl');
  let last: string | undefined;
  let writing: Promise<void> = Promise.resolve();

  return {
    async load() {
      const prompts = await readPrompts(file);
      last = prompts.at(-1)?.text;
      if (prompts.length > cutAt) await shorten(file, prompts);
      return pastPrompts(prompts.slice(-kept), project());
    },
    add(text) {
      if (text.trim() === '' || text === last) return;
      last = text;
      const here = project();
      writing = writing.then(() => append(file, { text, project: here }));
    },
  };
}

function pastPrompts(prompts: readonly Line[], here: string): PastPrompts {
  const isHere = (line: Line) => line.project === undefined || line.project === here;
  const elsewhere = new Set(prompts.map(({ text }) => text));
  for (const line of prompts) if (isHere(line)) elsewhere.delete(line.text);
  return { texts: prompts.map(({ text }) => text), elsewhere };
}

async function readPrompts(file: string): Promise<Line[]> {
  const read = await readRegularFile(file, { maxBytes });
  const text = 'kind' in read ? '' : read.bytes.toString('utf8'); // No history yet, or none that can be read.
  return text.split('\n').flatMap((line) => {
    try {
      return lineOf(JSON.parse(line));
    } catch {
      return []; // An empty line, or one that a full disk cut.
    }
  });
}

function lineOf(value: unknown): Line[] {
  if (typeof value === 'string') return [{ text: value }];
  if (!isRecord(value) || typeof value['text'] !== 'string') return [];
  const { text, project } = value as { text: string; project?: unknown };
  return [{ text, ...(typeof project === 'string' ? { project } : {}) }];
}

async function append(file: string, line: Line): Promise<void> {
  try {
    makeFolder(path.dirname(file));
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch (error) {
    log('a prompt was not added to the history:', error);
  }
}

async function shorten(file: string, prompts: readonly Line[]): Promise<void> {
  const { writePrivateFile } = await import('#lib/atomic-file.ts');
  const lines = prompts.slice(-kept).map((prompt) => `${JSON.stringify(prompt)}\n`);
  await writePrivateFile(file, lines.join('')).catch((error: unknown) =>
    log('the history was not cut:', error),
  );
}
