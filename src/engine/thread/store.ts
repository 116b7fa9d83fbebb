import { stat } from 'node:fs/promises';
import path from 'node:path';
import { LlmcodeError } from '#lib/errors.ts';
import { shownName } from '#lib/quote.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadHeader, ThreadSummary } from '#protocol/thread-entry.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { foldLog } from './fold.ts';
import { readLog } from './log-reader.ts';
import { projectFolders, rowsIn } from './log-rows.ts';
import { consultsFolder, projectFolder } from './thread-paths.ts';

/**
 * Threads of the project of `cwd`, or of all projects; newest first. Archived ones are among them. A file that cannot
 * be read is left out.
 */
export async function listThreads(home: string, { cwd }: { cwd?: string } = {}): Promise<ThreadSummary[]> {
  const folders = cwd === undefined ? await projectFolders(home) : [projectFolder(home, cwd)];
  return rowsIn(home, folders);
}

/** Threads with peers, newest first. */
export async function listConsults(home: string): Promise<ThreadSummary[]> {
  return rowsIn(home, [consultsFolder(home)]);
}

/**
 * The thread with this id, this name, or an id that begins so; first in the project of `cwd`, then everywhere.
 * Rejects with `thread-not-found` or `thread-ambiguous`, and for a whole id with what is wrong with its log.
 */
export async function findThread(
  home: string,
  text: string,
  { cwd }: { cwd: string },
): Promise<ThreadSummary> {
  const here = await listThreads(home, { cwd });
  const found = match(here, text) ?? match(await listThreads(home), text) ?? (await unlisted(home, text));
  if (found) return found;
  const newest = here[0];
  const advice = newest ? `The newest here is ${newest.threadId} (${newest.title}). ` : '';
  throw new LlmcodeError(
    'thread-not-found',
    `There is no thread with the id or name "${shownName(text)}". ${advice}"llmcode threads list" shows all.`,
    { exitCode: 2 },
  );
}

/** All of a thread, without opening it for writing. */
export async function readThread(
  home: string,
  threadId: string,
): Promise<{ header: ThreadHeader; state: ThreadState; notices: string[] }> {
  const { header, events, notices } = await readLog(await findLog(home, threadId), { damage: 'reject' });
  return { header, state: foldLog({ header, events }), notices };
}

/** The log of a thread of any project, by its whole id. */
export async function findLog(home: string, threadId: string): Promise<string> {
  const name = `${path.basename(threadId)}.jsonl`;
  for (const folder of await projectFolders(home)) {
    const file = path.join(folder, name);
    const isThere = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isThere) return file;
  }
  throw new LlmcodeError('thread-not-found', `There is no thread ${threadId}.`, { exitCode: 2 });
}

/** A thread that no list shows: nothing was said in it yet, or its first line is damaged. By its whole id. */
async function unlisted(home: string, text: string): Promise<ThreadSummary | undefined> {
  const file = await findLog(home, text.toUpperCase()).catch(() => undefined);
  if (file === undefined) return undefined;
  const { header, events } = await readLog(file, { damage: 'skip' });
  const { name, model } = foldLog({ header, events });
  return {
    threadId: header.threadId,
    name,
    cwd: header.cwd,
    title: '',
    createdAt: header.createdAt,
    updatedAt: events.at(-1)?.at ?? header.createdAt,
    messages: 0,
    model: model ? formatModelRef(model) : null,
  };
}

function match(threads: readonly ThreadSummary[], text: string): ThreadSummary | undefined {
  const exact = threads.find(({ threadId }) => threadId === text.toUpperCase() || threadId === text);
  if (exact) return exact;
  const named = threads.filter(({ name }) => name !== null && name.toLowerCase() === text.toLowerCase());
  // Ids of one time begin alike: eight characters are a span of seventeen minutes.
  const begun = threads.filter(({ threadId }) => text !== '' && threadId.startsWith(text.toUpperCase()));
  const candidates = named.length > 0 ? named : begun;
  if (candidates.length <= 1) return candidates[0];
  const shown = candidates.slice(0, 5).map(({ threadId, title }) => `\n  ${threadId}  ${title}`);
  throw new LlmcodeError(
    'thread-ambiguous',
    `"${shownName(text)}" means ${candidates.length} threads; give one id:${shown.join('')}`,
    { exitCode: 2 },
  );
}
