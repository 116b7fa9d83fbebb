import { open } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ThreadHit } from '#protocol/thread-entry.ts';
import { passageOf } from './passage.ts';
import { withStateDb } from './state-db.ts';
import { fileOfKey, parsed, readAt } from './update-index.ts';
import { excerptOf, searchWords } from './words.ts';

/** A find and the log that it is in. */
export type FoundPlace = { file: string; hit: ThreadHit };

export type SearchOptions = {
  /** Names of folders of projects; undefined = all. */
  projects?: ReadonlySet<string>;
  /** Threads at most, and finds of each. */
  limit: number;
  perThread: number;
};

/** A word that stands everywhere is not looked for to the end. */
const maxFinds = 20_000;
const maxMs = 400;

type Find = { key: string; start: number; length: number };

/** Where words were said, newest first. undefined where there is no index or nothing to look for. Never rejects. */
export async function searchIndex(
  home: string,
  typed: string,
  options: SearchOptions,
): Promise<FoundPlace[] | undefined> {
  const asked = searchWords(typed);
  if (!asked) return undefined;
  const finds = await withStateDb(home, (db) => findsOf(db, asked.match, options));
  if (!finds) return undefined;
  const hits = await Promise.all(finds.map((find) => hitOf(home, find, asked.words)));
  return hits.filter((hit) => hit !== undefined);
}

function findsOf(db: DatabaseSync, match: string, options: SearchOptions): Find[] {
  const rows = db
    .prepare(
      `SELECT f.file AS file, p.start AS start, p.length AS length FROM thread_text
       JOIN thread_passages p ON p.id = thread_text.rowid JOIN thread_files f ON f.id = p.thread
       WHERE thread_text MATCH ? ORDER BY thread_text.rowid DESC LIMIT ${maxFinds}`,
    )
    .iterate(match);
  const finds: Find[] = [];
  const counts = new Map<string, number>();
  const until = performance.now() + maxMs;
  for (const row of rows) {
    const key = String(row['file']);
    const count = counts.get(key) ?? 0;
    if (performance.now() > until || (count === 0 && counts.size >= options.limit)) break;
    if (count >= options.perThread || (options.projects && !options.projects.has(path.dirname(key))))
      continue;
    counts.set(key, count + 1);
    finds.push({ key, start: Number(row['start']), length: Number(row['length']) });
  }
  return finds;
}

/** The log itself has the words: the index only knows where. undefined when they are no longer there. */
async function hitOf(
  home: string,
  { key, start, length }: Find,
  words: readonly string[],
): Promise<FoundPlace | undefined> {
  const file = fileOfKey(home, key);
  try {
    const handle = await open(file, 'r');
    try {
      const line = await readAt(handle, { from: start, length });
      const passage = passageOf(parsed(line.toString('utf8')));
      if (!passage) return undefined;
      const { kind, messageId, text } = passage;
      const hit = {
        threadId: path.basename(key, '.jsonl'),
        kind,
        messageId,
        excerpt: excerptOf(text, words),
      };
      return { file, hit };
    } finally {
      await handle.close();
    }
  } catch (error) {
    log('a thread that was found cannot be read:', errorText(error));
    return undefined;
  }
}
