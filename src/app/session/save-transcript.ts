import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { codeText } from '#lib/quote.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { threadMarkdown } from '../cli/subcommands/threads/thread-markdown.ts';

/** All of a conversation as Markdown, nothing of its tools' results left out. */
export function transcriptText(state: ThreadState): string {
  const { threadId, name, cwd, model, messages } = state;
  const [first] = messages;
  const summary = {
    threadId,
    name,
    title: 'Conversation',
    cwd,
    createdAt: first?.createdAt ?? Date.now(),
    model: model && `${model.provider}/${model.model}`,
  };
  return `${threadMarkdown(summary, state, { resultLines: Number.POSITIVE_INFINITY })}\n`;
}

/** Into a new file, named from the working folder or with `~/`; resolves with what to tell the person. */
export async function saveTranscript(
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
  return `The conversation is in ${codeText(file)}.`;
}
