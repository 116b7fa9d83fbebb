import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { foldLog } from './fold.ts';
import { lockHolder, lockThread } from './lock.ts';
import { openLogFile } from './log-file.ts';
import { readLog } from './log-reader.ts';
import { logsIn } from './log-rows.ts';
import { changeListsIn, releaseBlobs } from './release-blobs.ts';
import { findLog, listThreads } from './store.ts';
import { archiveMark, pathsBeside } from './thread-paths.ts';

const dayMs = 86_400_000;
/** A clock that jumps ahead must not make everything old at once. */
const maxIdleDays = 7;

/** Deletes a thread, its files, and what was kept to undo its changes. Rejects with `thread-locked` while it is open somewhere. */
export async function deleteThread(home: string, threadId: string): Promise<void> {
  const file = await findLog(home, threadId);
  refuseOpen(file, threadId);
  await deleteLogs(home, [file]);
}

/** Puts a thread out of sight, or back. */
export async function archiveThread(
  home: string,
  threadId: string,
  { isArchived }: { isArchived: boolean },
): Promise<void> {
  const mark = archiveMark(await findLog(home, threadId));
  if (isArchived) await writePrivateFile(mark, '');
  else await rm(mark, { force: true });
}

/** Names a thread that is open nowhere; one that is open is named there. */
export async function renameThread(
  home: string,
  threadId: string,
  { name, clock }: { name: string; clock: Clock },
): Promise<void> {
  const file = await findLog(home, threadId);
  const paths = pathsBeside(file);
  const lock = lockThread(paths.lock, { threadId });
  try {
    const { header, events, goodLength } = await readLog(file, { damage: 'reject' });
    const { seq, turnId } = foldLog({ header, events });
    const event = { kind: 'thread-renamed', name, threadId, turnId, seq: seq + 1, at: clock.now() };
    const log = openLogFile(file);
    log.truncate(goodLength);
    log.append(Buffer.from(`${JSON.stringify(event)}\n`));
    await log.sync();
    log.close();
  } finally {
    lock.release();
  }
}

/**
 * Deletes threads that nobody used for so many days, except archived and open ones. Resolves with how many. Days
 * without any use count a week at most.
 */
export async function deleteOldThreads(
  home: string,
  { keepDays, clock }: { keepDays: number; clock: Clock },
): Promise<number> {
  const threads = await listThreads(home);
  const present = clock.now();
  // A thread that says it is of the future says nothing of the present.
  const newest = Math.max(0, ...threads.map(({ updatedAt }) => updatedAt).filter((at) => at <= present));
  const now = Math.min(present, newest + maxIdleDays * dayMs);
  const old = threads.filter((thread) => isOld(thread, now - keepDays * dayMs));
  const files: string[] = [];
  for (const { threadId } of old) {
    const file = await findLog(home, threadId).catch(() => undefined);
    if (file !== undefined && !lockHolder(pathsBeside(file).lock)) files.push(file);
  }
  await deleteLogs(home, files);
  if (files.length > 0) log(`${files.length} threads were older than ${keepDays} days and were deleted`);
  return files.length;
}

/** An imported thread is as old as its conversation; it counts as used only once it went on here. */
function isOld({ updatedAt, isArchived, kind, importedFrom, model }: ThreadSummary, limit: number): boolean {
  if (importedFrom !== undefined && model === null) return false;
  return updatedAt < limit && isArchived !== true && kind === undefined;
}

async function deleteLogs(home: string, files: readonly string[]): Promise<void> {
  const deleted = new Set(files);
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    const here = files.filter((file) => path.dirname(file) === folder);
    const byFolder = new Map<string, string[]>();
    for (const file of here) {
      const lists = await changeListsIn(file);
      const { header } = await readLog(file, { damage: 'skip' }).catch(() => ({ header: undefined }));
      if (header) byFolder.set(header.cwd, [...(byFolder.get(header.cwd) ?? []), ...lists]);
      await removeFiles(file);
    }
    const others = (await logsIn([folder])).filter((file) => !deleted.has(file));
    for (const [cwd, gone] of byFolder) await releaseBlobs(home, { cwd, gone, others });
  }
}

async function removeFiles(file: string): Promise<void> {
  const paths = pathsBeside(file);
  await rm(paths.log, { force: true });
  await rm(paths.files, { recursive: true, force: true });
  await rm(archiveMark(file), { force: true });
  await rm(paths.lock, { force: true });
}

function refuseOpen(file: string, threadId: string): void {
  const holder = lockHolder(pathsBeside(file).lock);
  if (!holder) return;
  throw new LlmcodeError(
    'thread-locked',
    `Thread ${threadId} is open in another llmcode (process ${holder.pid}). Close it there first.`,
    { exitCode: 2 },
  );
}
