import { constants, type Stats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { errnoOf } from '#lib/errors.ts';
import { hashBytes } from '#lib/file-hash.ts';
import { displayPath, realPathOf } from '#lib/paths.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { type DecodedText, decodeText } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { toolError } from '../result/tool-error.ts';
import { problemResult } from './problem-result.ts';
import { absolutePath } from './tool-path.ts';

/** Larger files are changed with shell tools. */
const maxBytes = 50_000_000;

/** A file that is about to be created or changed. `real` is where it lies once every link is followed. */
export type ChangeTarget = { shown: string; real: string; current: CurrentFile | undefined };

/** What is in the file now. */
type CurrentFile = { stats: Stats; sha256: string; decoded: DecodedText };

/** The target, or the error result for the model. `mustBeRead`: the model has to know what it replaces. */
export async function changeTarget(
  file: string,
  ctx: ToolContext,
  { mustBeRead }: { mustBeRead: boolean },
): Promise<ChangeTarget | ToolResult> {
  const absolute = absolutePath(file, ctx.cwd);
  const shown = displayPath(absolute, ctx.cwd);
  if (file.endsWith('/')) return toolError('not_a_file', `${file} names a folder. Give the path of a file.`);
  const real = realPathOf(absolute);
  const decided = ctx.decidedPaths?.get(absolute);
  if (decided !== undefined && decided !== real && !(await isLink(real))) {
    return problemResult({ kind: 'moved' }, { file: absolute, ctx, use: 'changed' });
  }
  const content = await readRegularFile(real, { maxBytes, real });
  if ('kind' in content) {
    if (content.kind !== 'missing') return problemResult(content, { file: absolute, ctx, use: 'changed' });
    if (!(await isLink(real))) return { shown, real, current: undefined };
    return toolError(
      'not_a_file',
      `${shown} is a symbolic link to a file that does not exist. Write to the path it points to, or remove it.`,
    );
  }
  const sha256 = hashBytes(content.bytes);
  const refusal =
    (await writeRefusal(real, shown, content.stats)) ??
    (mustBeRead && ctx.requireRead ? readRefusal(ctx.ledger.seen(real), sha256, shown) : undefined);
  if (refusal) return refusal;
  return { shown, real, current: { stats: content.stats, sha256, decoded: decodeText(content.bytes) } };
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** Renaming a new file into place would get round a read-only mode, so that mode is asked for. */
async function writeRefusal(real: string, shown: string, stats: Stats): Promise<ToolResult | undefined> {
  const isReadOnly = (stats.mode & 0o222) === 0;
  if (!isReadOnly && (await canWrite(real))) return undefined;
  return toolError(
    'not_writable',
    `${shown} is read-only. If it really has to change, ask the person or run chmod u+w first.`,
  );
}

async function canWrite(file: string): Promise<boolean> {
  try {
    await access(file, constants.W_OK);
    return true;
  } catch {
    return false; // Whatever the reason, writing is not possible.
  }
}

function readRefusal(seen: string | null | undefined, sha256: string, shown: string): ToolResult | undefined {
  if (seen === sha256) return undefined;
  if (typeof seen !== 'string')
    return toolError(
      'not_read',
      `${shown} exists and has not been read yet. Read it with read_file, then change it.`,
    );
  return toolError(
    'changed_on_disk',
    `${shown} was changed on disk since it was last read. Read it again with read_file and look at what changed.`,
  );
}
