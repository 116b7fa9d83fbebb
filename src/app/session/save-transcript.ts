import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { codeText } from '#lib/quote.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { headingOf } from '../threads/thread-heading.ts';
import { threadMarkdown } from '../threads/thread-markdown.ts';

/** All of a conversation as Markdown, nothing of its tools' results left out. */
export function transcriptText(state: ThreadState): string {
  return `${threadMarkdown(headingOf(state), state, { resultLines: Number.POSITIVE_INFINITY })}\n`;
}

/** Into a new file, named from the working folder or with `~/`; resolves with what to tell the person. */
export async function saveTranscript(
  name: string,
  { text, cwd }: { text: string; cwd: string },
): Promise<string> {
  return `The conversation is in ${codeText(await writeNewFile(name, { text, cwd }))}.`;
}

/** Resolves with the whole path. Rejects with `export-failed`; a file that is there is left as it is. */
export async function writeNewFile(
  name: string,
  { text, cwd }: { text: string; cwd: string },
): Promise<string> {
  const file = path.resolve(cwd, name.replace(/^~(?=\/|$)/, homedir()));
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const why =
      errnoOf(error) === 'EEXIST'
        ? 'is there already, and is left as it is'
        : `cannot be written: ${errorText(error)}`;
    throw new LlmcodeError('export-failed', `${file} ${why}`, { cause: error });
  }
  return file;
}
