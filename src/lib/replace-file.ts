import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, LlmcodeError } from './errors.ts';
import { holdFolder, isOpenedAt, movedCode } from './held-folder.ts';

type ReplaceOptions = {
  /** Of the file that is replaced: its mode and owner are kept. undefined = it is new. */
  stats: Stats | undefined;
  /** Asked last, right before the file appears under its name; false leaves everything as it was. */
  confirm: () => Promise<boolean>;
};

/** A folder that takes no new files, or a file that is a mount point: it cannot be replaced, only rewritten. */
const notReplaceable = new Set(['EACCES', 'EPERM', 'EBUSY']);

/**
 * Writes a file as a whole: a reader, a crash or a full disk sees the old or the new content. `file` is a real path:
 * where a link has taken the place of a folder above it, `LlmcodeError` `path-moved` is thrown. Makes the folders
 * above it. Throws the system's error; nothing is changed then.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<boolean> {
  const { stats, confirm } = options;
  const folder = await holdFolder(path.dirname(file));
  try {
    return await writeBeside(path.join(folder.at, path.basename(file)), bytes, options);
  } catch (error) {
    if (!stats || !notReplaceable.has(errnoOf(error) ?? '')) throw error;
  } finally {
    await folder.close();
  }
  return (await confirm()) && (await rewrite(file, bytes));
}

/** Removes a file, which may be gone already. `file` is a real path, as for `replaceFile`. */
export async function removeFile(file: string): Promise<void> {
  const folder = await holdFolder(path.dirname(file));
  try {
    await rm(path.join(folder.at, path.basename(file)), { force: true });
  } finally {
    await folder.close();
  }
}

async function writeBeside(file: string, bytes: Uint8Array, options: ReplaceOptions): Promise<boolean> {
  const { stats, confirm } = options;
  const temporary = path.join(path.dirname(file), `.llmcode-${randomBytes(8).toString('hex')}.tmp`);
  // Exclusive: a planted file or link of that name is an error, not a target.
  const handle = await open(temporary, 'wx', stats ? 0o600 : 0o666);
  let isPlaced = false;
  try {
    await fill(handle, bytes, stats);
    if (!(await confirm())) return false;
    await rename(temporary, file);
    isPlaced = true;
    return true;
  } finally {
    if (!isPlaced) await rm(temporary, { force: true });
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, stats: Stats | undefined): Promise<void> {
  try {
    await handle.writeFile(bytes);
    if (stats) {
      const own = await handle.stat();
      if (own.uid !== stats.uid || own.gid !== stats.gid) await keepOwner(handle, stats);
      await handle.chmod(stats.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only the superuser may give a file away; for anyone else the new file is their own. */
async function keepOwner(handle: FileHandle, stats: Stats): Promise<void> {
  try {
    await handle.chown(stats.uid, stats.gid);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
  }
}

async function rewrite(file: string, bytes: Uint8Array): Promise<true> {
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (!(await isOpenedAt(handle, file))) {
      throw new LlmcodeError(movedCode, `${file} leads elsewhere than a moment ago.`);
    }
    const before = await handle.readFile();
    try {
      await overwrite(handle, bytes);
    } catch (error) {
      await overwrite(handle, before);
      throw error;
    }
  } finally {
    await handle.close();
  }
  return true;
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.truncate(0);
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written);
    written += bytesWritten;
  }
  await handle.sync();
}
