import { existsSync, renameSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { loadSqlite } from '#lib/sqlite.ts';

/** Another process may be writing; a list does not wait longer than this for it. */
const busyMs = 80;
const schemaVersion = 1;

/** Magic numbers of file systems on which SQLite's shared memory or its locks cannot be trusted. */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x01021997, // 9p
  0x65735546, // FUSE
  0x5346414f, // AFS
  0x00c36400, // Ceph
]);

/**
 * Runs `work` on the index of threads, which is made when it is missing and made anew when it is damaged. Resolves
 * with undefined when there is none to be had (a folder that cannot be written, a lock of somebody else, a Node
 * without it): whoever asks then does without, because all that stands in it can be read from the logs.
 */
export async function withStateDb<Result>(
  home: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result | undefined> {
  const file = path.join(home, 'state.db');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    let db: DatabaseSync | undefined;
    try {
      db = openDb(file);
      return await work(db);
    } catch (error) {
      log('the index of threads is of no use now:', errorText(error));
      if (!isDamage(error)) return undefined;
      db?.close();
      db = undefined;
      setAside(file);
    } finally {
      if (db?.isOpen) db.close();
    }
  }
  return undefined;
}

/** Nothing is made by asking. */
export function hasStateDb(home: string): boolean {
  return existsSync(path.join(home, 'state.db'));
}

/** One change of the index: all of it or nothing. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function openDb(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  makeFolder(path.dirname(file));
  const mask = process.umask(0o077);
  try {
    const db = new DatabaseSync(file, { timeout: busyMs });
    try {
      prepare(db, file);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  } finally {
    process.umask(mask);
  }
}

function prepare(db: DatabaseSync, file: string): void {
  // What a power cut takes of an index is read again from the logs.
  db.exec('PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
  db.exec(`PRAGMA journal_mode = ${isOnNetwork(file) ? 'TRUNCATE' : 'WAL'}`);
  db.exec('CREATE TABLE IF NOT EXISTS thread_index_version (version INTEGER NOT NULL)');
  const { version } = db.prepare('SELECT max(version) AS version FROM thread_index_version').get() ?? {};
  if (version === schemaVersion) return;
  inTransaction(db, () => {
    // A newer llmcode reads its own version here and makes the tables its own way again.
    db.exec(`
      DROP TABLE IF EXISTS thread_text;
      DROP TABLE IF EXISTS thread_passages;
      DROP TABLE IF EXISTS thread_files;
      DELETE FROM thread_index_version;
      CREATE TABLE thread_files (
        id INTEGER PRIMARY KEY,
        file TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime REAL NOT NULL,
        row TEXT,
        text_length INTEGER NOT NULL DEFAULT 0,
        text_mark TEXT NOT NULL DEFAULT ''
      );
      CREATE TABLE thread_passages (
        id INTEGER PRIMARY KEY,
        thread INTEGER NOT NULL,
        start INTEGER NOT NULL,
        length INTEGER NOT NULL
      );
      CREATE INDEX thread_passages_by_thread ON thread_passages (thread);
      CREATE VIRTUAL TABLE thread_text USING fts5 (
        text, content='', contentless_delete=1, prefix='3',
        tokenize='unicode61 remove_diacritics 2'
      );
      INSERT INTO thread_index_version VALUES (${schemaVersion});
    `);
  });
}

function isOnNetwork(file: string): boolean {
  try {
    return networkFileSystems.has(Number(statfsSync(path.dirname(file)).type) >>> 0);
  } catch {
    return true; // Not known: the way that works everywhere.
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB, and tables that are not what they should be. */
function isDamage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return (
    code === 11 || code === 26 || (code === 1 && /no such (table|column)|malformed/.test(errorText(error)))
  );
}

/** Kept beside, in case something else of value stood in it. */
function setAside(file: string): void {
  try {
    renameSync(file, `${file}.damaged`);
  } catch (error) {
    log('a damaged index cannot be put aside:', errorText(error));
  }
  for (const end of ['-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}
