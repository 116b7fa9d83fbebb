import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, LlmcodeError } from './errors.ts';

/** The code of the error for a path that leads elsewhere than where it led when it was looked up. */
export const movedCode = 'path-moved';

/** A folder kept open: what is done below `at` happens in this very folder, whatever its name leads to meanwhile. */
export type HeldFolder = { at: string; close(): Promise<void> };

/** Opens a folder by its name alone, without the right to read it. Linux; not among the constants of Node. */
const pathOnly = process.platform === 'linux' ? 0x20_0000 : constants.O_RDONLY;

/**
 * Opens a folder, which is made when it is missing. `folder` is its real path: where a link has taken the place of
 * a part of it, this throws `LlmcodeError` `path-moved` and nothing is made.
 */
export async function holdFolder(folder: string): Promise<HeldFolder> {
  const missing: string[] = [];
  let existing = folder;
  while (path.dirname(existing) !== existing && !(await exists(existing))) {
    missing.unshift(path.basename(existing));
    existing = path.dirname(existing);
  }
  const held = await holdExistingFolder(existing);
  if (missing.length === 0) return held;
  try {
    await mkdir(path.join(held.at, ...missing), { recursive: true });
  } finally {
    await held.close();
  }
  return holdExistingFolder(folder);
}

/** As `holdFolder`, for a folder that is there. */
export async function holdExistingFolder(folder: string): Promise<HeldFolder> {
  const handle = await openFolder(folder);
  const real = await realPathOfHandle(handle);
  const isHere = real === undefined ? await isSame(handle, folder) : real === folder;
  if (isHere)
    return { at: real === undefined ? folder : descriptorPath(handle), close: () => handle.close() };
  await handle.close();
  throw movedError(folder);
}

async function openFolder(folder: string): Promise<FileHandle> {
  try {
    return await open(folder, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const isLink = (await lstat(folder)).isSymbolicLink();
    throw isLink ? movedError(folder) : error;
  }
}

/** True when the opened file lies at `real`, with no link on the way. */
export async function isOpenedAt(handle: FileHandle, real: string): Promise<boolean> {
  const opened = await realPathOfHandle(handle);
  return opened === undefined ? isSame(handle, real) : opened === real;
}

/** Undefined where the system does not tell. */
async function realPathOfHandle(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return await readlink(descriptorPath(handle));
  } catch {
    return undefined; // No /proc here.
  }
}

const descriptorPath = (handle: FileHandle) => `/proc/self/fd/${handle.fd}`;

async function isSame(handle: FileHandle, real: string): Promise<boolean> {
  const [own, named] = await Promise.all([handle.stat(), stat(real)]);
  return own.dev === named.dev && own.ino === named.ino && (await realpath(real)) === real;
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function movedError(folder: string): LlmcodeError {
  return new LlmcodeError(
    movedCode,
    `${folder} leads elsewhere than a moment ago: a link has taken its place.`,
  );
}
