import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { readRegularFile } from '#lib/regular-file.ts';

/** What a session came to. `prompts`: how many of the person's prompts it covers. `at`: milliseconds since 1970. */
export type SessionSummary = { threadId: string; at: number; prompts: number; text: string };

const maxBytes = 262_144;

/** Summaries of sessions, a Markdown file each, named by the thread. */
export function summariesFolder(memory: string): string {
  return path.join(memory, 'summaries');
}

/** Adds to the summary of a thread: what was noted before stays above it. */
export async function addSummary(folder: string, summary: SessionSummary): Promise<void> {
  const before = await readSummary(folder, summary.threadId);
  const text = before ? `${before.text}\n\n${summary.text}` : summary.text;
  const head = `---\nthread: ${summary.threadId}\nat: ${summary.at}\nprompts: ${summary.prompts}\n---\n`;
  await writePrivateFile(fileOf(folder, summary.threadId), `${head}${text.slice(-maxBytes / 4)}\n`);
}

export async function readSummary(folder: string, threadId: string): Promise<SessionSummary | undefined> {
  const read = await readRegularFile(fileOf(folder, threadId), { maxBytes });
  if ('kind' in read) return undefined;
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read.bytes.toString('utf8'));
  if (!match) return undefined;
  const [, head = '', text = ''] = match;
  const number = (key: string) => Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(head)?.[1] ?? 0);
  return { threadId, at: number('at'), prompts: number('prompts'), text: text.trim() };
}

/** The newest ones first. */
export async function listSummaries(folder: string, { limit }: { limit: number }): Promise<SessionSummary[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length));
  const all = await Promise.all(ids.map((id) => readSummary(folder, id)));
  return all
    .filter((summary) => summary !== undefined)
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}

function fileOf(folder: string, threadId: string): string {
  return path.join(folder, `${path.basename(threadId)}.md`);
}
