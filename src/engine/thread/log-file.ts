import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '#lib/errors.ts';
import { makeFolder } from '#lib/make-folder.ts';

const dataSync = promisify(fdatasync);
const chunkBytes = 1_048_576;

/** The bytes of a log on disk. Appends are synchronous: 11 µs each, and they can never come out of order. */
export interface LogFile {
  /** Writes all of it or throws; after a throw the file may be longer than before. */
  append(bytes: Uint8Array): void;
  truncate(length: number): void;
  /** Resolves when what was appended survives a power cut. */
  sync(): Promise<void>;
  /**
   * When somebody deleted the file or took it away, puts one with its first `length` bytes in its place: true then.
   * Throws when that cannot be done; the file is as it was then.
   */
  bringBack(length: number): boolean;
  close(): void;
}

/** Opens a log for appending; makes it (0600) and its folder (0700) when they are missing. */
export function openLogFile(file: string): LogFile {
  makeFolder(path.dirname(file));
  const isNew = !existsSync(file);
  // Readable too: of a deleted file the descriptor is all that is left.
  let fd = openSync(file, 'a+', 0o600);
  if (isNew) syncFolder(path.dirname(file));
  return {
    append: (bytes) => writeAll(fd, bytes),
    truncate: (length) => ftruncateSync(fd, length),
    sync: async () => {
      try {
        await dataSync(fd);
      } catch (error) {
        // Some network and container file systems know no such call; the append itself has worked.
        if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
      }
    },
    bringBack: (length) => {
      if (isInPlace(fd, file)) return false;
      const copy = copyOf(fd, { file, length });
      closeSync(fd);
      fd = copy;
      return true;
    },
    close: () => closeSync(fd),
  };
}

function isInPlace(fd: number, file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return false;
  const own = fstatSync(fd);
  return own.nlink > 0 || own.ino === stats.ino;
}

/** Written aside and moved into place, so that whatever stands there is whole at any time. */
function copyOf(fd: number, { file, length }: { file: string; length: number }): number {
  makeFolder(path.dirname(file));
  const draft = `${file}.new`;
  const copy = openSync(draft, 'a+', 0o600);
  try {
    ftruncateSync(copy, 0);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let done = 0; done < length; ) {
      const count = readSync(fd, chunk, 0, Math.min(chunkBytes, length - done), done);
      if (count === 0) throw new Error('what was written before can no longer be read');
      writeAll(copy, chunk.subarray(0, count));
      done += count;
    }
    renameSync(draft, file);
    return copy;
  } catch (error) {
    closeSync(copy);
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
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
