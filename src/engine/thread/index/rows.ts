import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { threadsFolder } from '../thread-paths.ts';
import { hasStateDb, inTransaction, withStateDb } from './state-db.ts';

/** The row of a log, good as long as size and time of the file are these. `row` undefined: no list shows it. */
export type KeptRow = { size: number; mtimeMs: number; row: ThreadSummary | undefined };

/** A list that had to read fewer logs than this is fast enough without an index. */
const worthKeeping = 64;

/** Rows by the path of their log. Empty where there is no index. Never rejects. */
export async function readRows(home: string): Promise<Map<string, KeptRow>> {
  const rows = new Map<string, KeptRow>();
  if (!hasStateDb(home)) return rows;
  const folder = threadsFolder(home);
  await withStateDb(home, (db) => {
    for (const { file, size, mtime, row } of db
      .prepare('SELECT file, size, mtime, row FROM thread_files')
      .iterate()) {
      rows.set(path.join(folder, String(file)), {
        size: Number(size),
        mtimeMs: Number(mtime),
        row: typeof row === 'string' ? (JSON.parse(row) as ThreadSummary) : undefined,
      });
    }
  });
  return rows;
}

/** Keeps rows that were just read from their logs. Never rejects. */
export async function keepRows(home: string, rows: ReadonlyMap<string, KeptRow>): Promise<void> {
  if (rows.size === 0 || (rows.size < worthKeeping && !hasStateDb(home))) return;
  await withStateDb(home, (db) => {
    inTransaction(db, () => {
      for (const [file, kept] of rows) keepRow(db, { home, file }, kept);
    });
  });
}

export function keepRow(
  db: DatabaseSync,
  { home, file }: { home: string; file: string },
  { size, mtimeMs, row }: KeptRow,
): void {
  db.prepare(
    `INSERT INTO thread_files (file, size, mtime, row) VALUES (?, ?, ?, ?)
     ON CONFLICT (file) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, row = excluded.row`,
  ).run(keyOf(home, file), size, mtimeMs, row ? JSON.stringify(row) : null);
}

/** A log as the index names it: below the folder of threads, so that a home can be moved. */
export function keyOf(home: string, file: string): string {
  return path.relative(threadsFolder(home), file).split(path.sep).join('/');
}
