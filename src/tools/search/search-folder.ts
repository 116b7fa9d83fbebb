import { type FileHandle, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '#lib/errors.ts';
import { type HeldFolder, holdExistingFolder, movedCode } from '#lib/held-folder.ts';
import { realPathOf } from '#lib/paths.ts';
import { type FileProblem, fileProblem, openRegularFile, problemOf } from '#lib/regular-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { problemResult } from '../files/problem-result.ts';

/** What is searched, kept open: `at` leads to it whatever takes the place of its name. `close` when it is done. */
export type SearchStart = HeldFolder & { kind: 'folder' | 'file' };

/** Where a search starts, or the error result for the model. */
export async function searchStart(file: string, ctx: ToolContext): Promise<SearchStart | ToolResult> {
  const held = await holdDecided(file, ctx);
  return 'at' in held ? held : problemResult(held, { file, ctx, use: 'searched' });
}

/** Opens a folder or a file where the call was decided to lead; a problem of kind `moved` when it leads elsewhere. */
export async function holdDecided(file: string, ctx: ToolContext): Promise<SearchStart | FileProblem> {
  const real = ctx.decidedPaths?.get(path.resolve(file)) ?? realPathOf(file);
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return { kind: 'folder', ...(await holdExistingFolder(real)) };
    const special = problemOf(stats);
    if (special) return special;
    const opened = await openRegularFile(real, { real });
    if ('kind' in opened) return opened;
    const { handle, stats: found } = opened;
    // Some files below /proc have no size and let a reader wait: a search program must not be that reader.
    const problem = found.size === 0 ? await readProblem(handle) : undefined;
    if (problem) return problem;
    const at = process.platform === 'linux' ? `/proc/${process.pid}/fd/${handle.fd}` : real;
    return { kind: 'file', at, close: () => handle.close() };
  } catch (error) {
    return errnoOf(error) === movedCode ? { kind: 'moved' } : fileProblem(error);
  }
}

/** Closes what cannot be read at once. */
async function readProblem(handle: FileHandle): Promise<FileProblem | undefined> {
  try {
    await handle.read(Buffer.alloc(1), 0, 1, 0);
    return undefined;
  } catch (error) {
    await handle.close();
    return fileProblem(error);
  }
}
