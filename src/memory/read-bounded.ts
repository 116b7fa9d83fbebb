import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf, errorText } from '#lib/errors.ts';
import { isInside, realPathOf } from '#lib/paths.ts';

/** More than this is no instruction file. Bytes. */
const maxFileBytes = 262_144;

export type BoundedRead =
  | { kind: 'text'; text: string; realPath: string; bytes: number }
  | { kind: 'absent' }
  | { kind: 'refused'; why: string };

/** Reads a small text file that may be hostile: no device, no pipe, nothing outside `root`, nothing binary. */
export async function readBounded(file: string, root: string | null): Promise<BoundedRead> {
  const realPath = realPathOf(file);
  if (root !== null && !isInside(realPath, root))
    return { kind: 'refused', why: 'it leads out of the project' };
  try {
    // Without O_NONBLOCK the open of a pipe would wait for a writer.
    await using handle = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isDirectory()) return { kind: 'absent' };
    if (!stat.isFile()) return { kind: 'refused', why: 'it is no regular file' };
    if (stat.size > maxFileBytes) return { kind: 'refused', why: `it has more than ${maxFileBytes} bytes` };
    const content = await handle.readFile();
    if (content.includes(0)) return { kind: 'refused', why: 'it is a binary file' };
    return {
      kind: 'text',
      text: content.toString('utf8').replace(/^\uFEFF/, ''),
      realPath,
      bytes: content.length,
    };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'refused', why: errorText(error) };
  }
}
