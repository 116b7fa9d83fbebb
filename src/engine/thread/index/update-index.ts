import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { threadsFolder } from '../thread-paths.ts';
import { passageOf } from './passage.ts';
import { keyOf } from './rows.ts';
import { inTransaction, withStateDb } from './state-db.ts';
import { indexedText } from './words.ts';

const chunkBytes = 1_048_576;
/** A line that is longer is left out of the search: it is an image or no line of ours. */
const maxLineBytes = 32 * chunkBytes;
const markBytes = 64;
/** Looking at so many files takes a millisecond or two; then others have their turn. */
const lookedAtOnce = 400;

export type IndexProgress = { files: number; ofFiles: number; bytes: number; ofBytes: number };

export type UpdateOptions = {
  signal?: AbortSignal;
  onProgress?: (progress: IndexProgress) => void;
  /** Throws away what there is and reads everything again. */
  isAnew?: boolean;
  /** Stops after about so many bytes; the next update goes on from there. */
  maxBytes?: number;
};

type Known = { id: number; textLength: number; mark: string };
type Stale = { file: string; key: string; size: number };

/**
 * Takes what was said since the last time into the index. It works in pieces and lets others run in between. Resolves
 * with how much was read; undefined where there is no index to be had. Never rejects.
 */
export async function updateIndex(
  home: string,
  files: readonly string[],
  options: UpdateOptions = {},
): Promise<IndexProgress | undefined> {
  return withStateDb(home, async (db) => {
    if (options.isAnew) forgetAll(db);
    forgetGone(db, new Set(files.map((file) => keyOf(home, file))));
    const known = knownFiles(db);
    const stale = await staleFiles(home, { files, known });
    const ofBytes = stale.reduce((sum, { key, size }) => sum + size - (known.get(key)?.textLength ?? 0), 0);
    const progress = { files: 0, ofFiles: stale.length, bytes: 0, ofBytes };
    for (const each of stale) {
      if (options.signal?.aborted || progress.bytes > (options.maxBytes ?? Number.POSITIVE_INFINITY)) break;
      try {
        await readOn(db, each, {
          ...options,
          onBytes: (bytes) => {
            progress.bytes += bytes;
            options.onProgress?.({ ...progress });
          },
        });
      } catch (error) {
        if (isOfDatabase(error)) throw error;
        log('a log is left out of the search:', errorText(error));
      }
      progress.files += 1;
      options.onProgress?.({ ...progress });
    }
    return progress;
  });
}

function isOfDatabase(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error;
}

/** Oldest first, so that what is newer has the higher numbers. */
async function staleFiles(
  home: string,
  { files, known }: { files: readonly string[]; known: ReadonlyMap<string, Known> },
): Promise<Stale[]> {
  const stale: Stale[] = [];
  let looked = 0;
  for (const file of [...files].sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1))) {
    looked += 1;
    if (looked % lookedAtOnce === 0) await setImmediate();
    const stats = statsOf(file);
    const key = keyOf(home, file);
    if (stats?.isFile() && stats.size !== known.get(key)?.textLength)
      stale.push({ file, key, size: stats.size });
  }
  return stale;
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // What cannot be looked at cannot be read: a list tells of it.
  }
}

function knownFiles(db: DatabaseSync): Map<string, Known> {
  const rows = db.prepare('SELECT id, file, text_length, text_mark FROM thread_files').all();
  return new Map(
    rows.map((row) => [
      String(row['file']),
      { id: Number(row['id']), textLength: Number(row['text_length']), mark: String(row['text_mark']) },
    ]),
  );
}

/** What was added to a log; all of it where the log is not the one that was read. */
async function readOn(
  db: DatabaseSync,
  { file, key, size }: Stale,
  { signal, onBytes }: { signal?: AbortSignal; onBytes(bytes: number): void },
): Promise<void> {
  const handle = await open(file, 'r');
  try {
    db.prepare('INSERT OR IGNORE INTO thread_files (file, size, mtime) VALUES (?, -1, 0)').run(key);
    const known = knownFile(db, key);
    if (!known) return;
    const isSame = known.textLength <= size && (await markAt(handle, known.textLength)) === known.mark;
    if (!isSame) inTransaction(db, () => forgetText(db, known.id));
    let at = isSame ? known.textLength : 0;
    let length = chunkBytes;
    while (at < size && !signal?.aborted) {
      const bytes = await readAt(handle, { from: at, length: Math.min(length, size - at) });
      const whole = bytes.lastIndexOf(0x0a) + 1;
      if (whole === 0) {
        // The rest of a line that is being written, or a very long one.
        if (at + bytes.length >= size || length >= maxLineBytes) return;
        length *= 2;
        continue;
      }
      length = chunkBytes;
      const mark = await markAt(handle, at + whole);
      const from = at;
      // Another process may have been faster: what it took is not taken twice.
      const isTaken = inTransaction(db, () => {
        if (knownFile(db, key)?.textLength !== from) return false;
        addPassages(db, { thread: known.id, bytes: bytes.subarray(0, whole), from });
        const update = 'UPDATE thread_files SET text_length = ?, text_mark = ? WHERE id = ?';
        db.prepare(update).run(from + whole, mark, known.id);
        return true;
      });
      if (!isTaken) return;
      at += whole;
      onBytes(whole);
      await setImmediate();
    }
  } finally {
    await handle.close();
  }
}

function knownFile(db: DatabaseSync, key: string): Known | undefined {
  const row = db.prepare('SELECT id, text_length, text_mark FROM thread_files WHERE file = ?').get(key);
  return (
    row && { id: Number(row['id']), textLength: Number(row['text_length']), mark: String(row['text_mark']) }
  );
}

function addPassages(
  db: DatabaseSync,
  { thread, bytes, from }: { thread: number; bytes: Buffer; from: number },
): void {
  const addPassage = db.prepare('INSERT INTO thread_passages (thread, start, length) VALUES (?, ?, ?)');
  const addText = db.prepare('INSERT INTO thread_text (rowid, text) VALUES (?, ?)');
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const passage = passageOf(parsed(bytes.toString('utf8', start, end)));
    if (passage) {
      const { lastInsertRowid } = addPassage.run(thread, from + start, end - start);
      addText.run(lastInsertRowid, indexedText(passage.text));
    }
    start = end + 1;
  }
}

/** undefined for a damaged line: whoever opens the thread is told of it. */
export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export async function readAt(
  handle: FileHandle,
  { from, length }: { from: number; length: number },
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** Tells whether what stands before a place in a log is what was read there. */
async function markAt(handle: FileHandle, end: number): Promise<string> {
  if (end === 0) return '';
  const from = Math.max(0, end - markBytes);
  const bytes = await readAt(handle, { from, length: end - from });
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function forgetGone(db: DatabaseSync, present: ReadonlySet<string>): void {
  const gone = [...knownFiles(db)].filter(([key]) => !present.has(key));
  if (gone.length === 0) return;
  inTransaction(db, () => {
    for (const [, { id }] of gone) {
      forgetText(db, id);
      db.prepare('DELETE FROM thread_files WHERE id = ?').run(id);
    }
  });
}

function forgetText(db: DatabaseSync, thread: number): void {
  db.prepare('DELETE FROM thread_text WHERE rowid IN (SELECT id FROM thread_passages WHERE thread = ?)').run(
    thread,
  );
  db.prepare('DELETE FROM thread_passages WHERE thread = ?').run(thread);
  db.prepare("UPDATE thread_files SET text_length = 0, text_mark = '' WHERE id = ?").run(thread);
}

function forgetAll(db: DatabaseSync): void {
  inTransaction(db, () => {
    db.exec("INSERT INTO thread_text (thread_text) VALUES ('delete-all')");
    db.exec('DELETE FROM thread_passages; DELETE FROM thread_files');
  });
}

/** Where the logs of the index lie. */
export function fileOfKey(home: string, key: string): string {
  return path.join(threadsFolder(home), key);
}
