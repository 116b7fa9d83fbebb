import path from 'node:path';
import type { FoundThread, ThreadHit } from '#protocol/thread-entry.ts';
import { searchIndex } from './index/search-threads.ts';
import { type IndexProgress, type UpdateOptions, updateIndex } from './index/update-index.ts';
import { logsIn, projectFolders, rowsIn, rowsOfLogs } from './log-rows.ts';
import { projectFolder } from './thread-paths.ts';

/** Takes what is not in the index yet. Resolves with undefined where there can be none. Never rejects. */
export async function indexThreads(
  home: string,
  options: UpdateOptions = {},
): Promise<IndexProgress | undefined> {
  const folders = await projectFolders(home);
  const done = await updateIndex(home, await logsIn(folders), options);
  if (done && done.ofFiles > 0 && !options.signal?.aborted) await rowsIn(home, folders);
  return done;
}

/**
 * Threads in which all the words were said, by anybody, in one place; newest find first. Only what the index has is
 * found: `indexThreads` brings it up to date. undefined where there is no index.
 */
export async function searchThreads(
  home: string,
  words: string,
  { cwd, limit = 50 }: { cwd?: string; limit?: number } = {},
): Promise<FoundThread[] | undefined> {
  const projects = cwd === undefined ? undefined : new Set([path.basename(projectFolder(home, cwd))]);
  const places = await searchIndex(home, words, { ...(projects ? { projects } : {}), limit, perThread: 3 });
  if (!places) return undefined;
  const threads = await rowsOfLogs(home, [...new Set(places.map(({ file }) => file))]);
  const byId = new Map(threads.map((thread) => [thread.threadId, thread]));
  const found = new Map<string, ThreadHit[]>();
  for (const { hit } of places) found.set(hit.threadId, [...(found.get(hit.threadId) ?? []), hit]);
  return [...found].flatMap(([threadId, own]) => {
    const thread = byId.get(threadId);
    return thread ? [{ thread, hits: own }] : [];
  });
}
