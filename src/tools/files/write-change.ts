import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '#lib/errors.ts';
import { hashBytes } from '#lib/file-hash.ts';
import { movedCode } from '#lib/held-folder.ts';
import { fileProblem, readRegularFile } from '#lib/regular-file.ts';
import { replaceFile } from '#lib/replace-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { aborted, toolError } from '../result/tool-error.ts';
import type { ChangeTarget } from './change-target.ts';
import { diffSummary } from './diff-view.ts';

/** A change worked out in memory: what would be written, how it looks, and what the model is told. */
export type PlannedChange = { target: ChangeTarget; bytes: Buffer; view: DiffView; text: string };

/** Writes a planned change if the file is still what it was when the change was planned. */
export async function writeChange(plan: PlannedChange, signal: AbortSignal): Promise<ToolResult> {
  const { target, bytes, view } = plan;
  if (signal.aborted) return aborted(`${target.shown} was not changed: the call was interrupted.`);
  try {
    const isWritten = await replaceFile(target.real, bytes, {
      stats: target.current?.stats,
      confirm: () => isUnchanged(target),
    });
    if (!isWritten)
      return toolError(
        'changed_on_disk',
        `${target.shown} was changed on disk at this very moment and was left as it is. Read it again with read_file.`,
      );
  } catch (error) {
    return writeError(error, target);
  }
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: plan.text }],
    view,
    summary: diffSummary(view),
    fileStates: [{ path: target.real, sha256: hashBytes(bytes) }],
  };
}

/** The file is still what it was when the change was planned. */
export async function isUnchanged({ real, current }: ChangeTarget): Promise<boolean> {
  if (!current) return isMissing(real);
  const now = await readRegularFile(real, { maxBytes: current.stats.size, real });
  return !('kind' in now) && hashBytes(now.bytes) === current.sha256;
}

async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return false;
  } catch (error) {
    return fileProblem(error).kind === 'missing';
  }
}

export function writeError(error: unknown, { shown, real }: ChangeTarget): ToolResult {
  const folder = path.dirname(real);
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return toolError('disk_full', `${shown} was not written: the disk is full. The file is as it was.`);
    case 'EROFS':
      return toolError('not_writable', `${shown} was not written: its disk is read-only.`);
    case 'EACCES':
    case 'EPERM':
      return toolError(
        'not_writable',
        `${shown} was not written: ${folder} may not be written by this user.`,
      );
    case 'EEXIST':
    case 'ENOTDIR':
      return toolError(
        'not_a_file',
        `${shown} was not written: a part of ${folder} is a file, not a folder.`,
      );
    case movedCode:
      return toolError(
        'changed_on_disk',
        `${shown} was not written: a link has taken the place of ${folder} since the call was allowed.`,
      );
    case 'ENAMETOOLONG':
      return toolError('invalid_argument', `${shown} was not written: its name is too long.`);
    default:
      throw error;
  }
}
