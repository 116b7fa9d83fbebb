import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { type KeptRow, keepRows, readRows } from './index/rows.ts';
import { summarise } from './summary.ts';
import { archiveMark, threadsFolder } from './thread-paths.ts';

const readAtOnce = 16;
/** Looking at so many files takes a millisecond or two; then others have their turn. */
const lookedAtOnce = 400;
const cachedRows = 20_000;

/** Rows by file; a row is good as long as size and time of its file are the same. */
const rows = new Map<string, KeptRow>();

type Seen = { file: string; isArchived: boolean; size: number; mtimeMs: number };

/**
 * The rows of all logs in these folders, newest first. What the index knows of a log that did not change since is
 * taken from there; the folders themselves say which logs there are, so that no index can hide one.
 */
export async function rowsIn(home: string, folders: readonly string[]): Promise<ThreadSummary[]> {
  return rowsOf(home, await lookAt(folders));
}

/** The rows of these logs, newest first. */
export async function rowsOfLogs(home: string, files: readonly string[]): Promise<ThreadSummary[]> {
  const seen = files.flatMap((file) => see(file, { isArchived: existsSync(archiveMark(file)) }) ?? []);
  return rowsOf(home, seen);
}

async function rowsOf(home: string, seen: readonly Seen[]): Promise<ThreadSummary[]> {
  if (seen.filter((each) => !knownRow(each)).length > readAtOnce)
    for (const [file, row] of await readRows(home)) if (!rows.has(file)) remember(file, row);
  const unread = seen.filter((each) => !knownRow(each));
  const read = new Map<string, KeptRow>();
  for (let from = 0; from < unread.length; from += readAtOnce) {
    const some = unread.slice(from, from + readAtOnce);
    await Promise.all(
      some.map(async (each) => {
        const row = await readRow(each);
        if (!row) return;
        read.set(each.file, row);
        remember(each.file, row);
      }),
    );
  }
  await keepRows(home, read);
  return seen
    .flatMap((each) => {
      const row = (knownRow(each) ?? read.get(each.file))?.row;
      if (!row) return [];
      return [each.isArchived ? { ...row, isArchived: true } : row];
    })
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.threadId < b.threadId ? 1 : -1));
}

export async function projectFolders(home: string): Promise<string[]> {
  const folder = threadsFolder(home);
  return (await namesIn(folder)).map((name) => path.join(folder, name));
}

/** Every log in these folders. */
export async function logsIn(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await namesIn(folder)).filter(isLogName).map((name) => path.join(folder, name)),
    ),
  );
  return found.flat();
}

const isLogName = (name: string) => name.endsWith('.jsonl');

function knownRow({ file, size, mtimeMs }: Seen): KeptRow | undefined {
  const known = rows.get(file);
  return known && known.size === size && known.mtimeMs === mtimeMs ? known : undefined;
}

function remember(file: string, row: KeptRow): void {
  if (rows.size >= cachedRows) rows.clear();
  rows.set(file, row);
}

async function lookAt(folders: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  let looked = 0;
  for (const folder of folders) {
    const names = await namesIn(folder);
    const all = new Set(names);
    for (const name of names) {
      if (!isLogName(name)) continue;
      const file = path.join(folder, name);
      looked += 1;
      if (looked % lookedAtOnce === 0) await setImmediate();
      const found = see(file, { isArchived: all.has(path.basename(archiveMark(file))) });
      if (found) seen.push(found);
    }
  }
  return seen;
}

function see(file: string, { isArchived }: { isArchived: boolean }): Seen | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) return undefined;
    return { file, isArchived, size: stats.size, mtimeMs: stats.mtimeMs };
  } catch (error) {
    log('a thread is left out of a list:', errorText(error));
    return undefined;
  }
}

async function readRow({ file, size, mtimeMs }: Seen): Promise<KeptRow | undefined> {
  try {
    return { size, mtimeMs, row: await summarise(file, { size, mtimeMs }) };
  } catch (error) {
    log('a thread is left out of a list:', errorText(error));
    return undefined;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw new LlmcodeError('threads-unreadable', `${folder} cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}
