import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { errnoOf, errorText } from './errors.ts';
import { isOpenedAt } from './held-folder.ts';

export type SpecialFile = 'pipe' | 'socket' | 'device';

export type FileProblem =
  | { kind: 'missing' | 'folder' | 'forbidden' | 'loop' }
  | { kind: 'special'; what?: SpecialFile | undefined }
  /** It leads elsewhere than where it led when it was looked up. */
  | { kind: 'moved' }
  | { kind: 'too-large'; bytes: number }
  | { kind: 'failed'; text: string };

type OpenedFile = { handle: FileHandle; stats: Stats };

const chunkBytes = 1_048_576;

/**
 * Opens a regular file for reading. Never waits: a FIFO, a socket or a device is a problem, looked for before
 * and after opening. With `real` what was opened must lie there. The caller closes the handle.
 */
export async function openRegularFile(
  file: string,
  { real }: { real?: string | undefined } = {},
): Promise<OpenedFile | FileProblem> {
  try {
    const before = problemOf(await stat(file));
    if (before) return before;
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = await handle.stat();
    const isElsewhere = real !== undefined && !(await isOpenedAt(handle, real));
    const after = problemOf(stats) ?? (isElsewhere ? { kind: 'moved' as const } : undefined);
    if (!after) return { handle, stats };
    await handle.close();
    return after;
  } catch (error) {
    return fileProblem(error);
  }
}

type FileBytes = { bytes: Buffer; stats: Stats };

/** Reads a whole regular file, of at most `maxBytes`. Files of unknown size (below /proc) too. */
export async function readRegularFile(
  file: string,
  options: { maxBytes: number; real?: string | undefined },
): Promise<FileBytes | FileProblem> {
  const opened = await openRegularFile(file, options);
  if ('kind' in opened) return opened;
  const { handle, stats } = opened;
  try {
    if (stats.size > options.maxBytes) return { kind: 'too-large', bytes: stats.size };
    const bytes = await readUpTo(handle, { start: stats.size + 1, limit: options.maxBytes + 1 });
    if (bytes.length > options.maxBytes) return { kind: 'too-large', bytes: bytes.length };
    return { bytes, stats };
  } catch (error) {
    return fileProblem(error);
  } finally {
    await handle.close();
  }
}

/**
 * A small text for which nothing may wait. Throws the system's own error, or one that says why it is not read:
 * a FIFO would hold up the whole program.
 */
export function readRegularTextSync(file: string, options: { maxBytes: number }): string {
  const before = problemOf(statSync(file));
  if (before) throw new Error(`it ${problemText(before)}`);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(fd);
    const bytes = stats.size;
    const tooLarge: FileProblem | undefined =
      bytes > options.maxBytes ? { kind: 'too-large', bytes } : undefined;
    const after = problemOf(stats) ?? tooLarge;
    if (after) throw new Error(`it ${problemText(after)}`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** The first `maxBytes` of a file. */
export async function readFileStart(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(maxBytes);
  const { bytesRead } = await handle.read(buffer, 0, maxBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** What a system error says about a file. */
export function fileProblem(error: unknown): FileProblem {
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'missing' };
    case 'EISDIR':
      return { kind: 'folder' };
    case 'ENXIO':
    case 'EAGAIN':
      return { kind: 'special' };
    case 'EACCES':
    case 'EPERM':
      return { kind: 'forbidden' };
    case 'ELOOP':
      return { kind: 'loop' };
    default:
      return { kind: 'failed', text: errorText(error) };
  }
}

/** Goes behind the name of the file: `… is a folder`. */
export function problemText(problem: FileProblem): string {
  switch (problem.kind) {
    case 'missing':
      return 'is not there';
    case 'folder':
      return 'is a folder';
    case 'special':
      return 'is a pipe, a socket or a device';
    case 'forbidden':
      return 'may not be read by this user';
    case 'loop':
      return 'is a link that leads back to itself';
    case 'moved':
      return 'leads elsewhere than a moment ago';
    case 'too-large':
      return `is too large (${problem.bytes} bytes)`;
    case 'failed':
      return `cannot be read: ${problem.text}`;
  }
}

/** undefined for a regular file. */
export function problemOf(stats: Stats): FileProblem | undefined {
  if (stats.isFile()) return undefined;
  return stats.isDirectory() ? { kind: 'folder' } : { kind: 'special', what: specialKind(stats) };
}

export function specialKind(stats: Pick<Stats, 'isFIFO' | 'isSocket'>): SpecialFile {
  if (stats.isFIFO()) return 'pipe';
  return stats.isSocket() ? 'socket' : 'device';
}

async function readUpTo(
  handle: FileHandle,
  { start, limit }: { start: number; limit: number },
): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(start, limit));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(limit, buffer.length * 2 + chunkBytes));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
