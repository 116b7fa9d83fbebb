import { hashBytes } from '#lib/file-hash.ts';
import { log } from '#lib/log.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { removeFile, replaceFile } from '#lib/replace-file.ts';
import type { FileState, ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { diffSummary } from '../files/diff-view.ts';
import { toleranceNote } from '../files/plan-edits.ts';
import { isUnchanged, writeError } from '../files/write-change.ts';
import { aborted, toolError } from '../result/tool-error.ts';
import { patchView } from './patch-view.ts';
import type { PlannedFile } from './plan-patch.ts';

type Undo = () => Promise<unknown>;

/** Makes all changes or none: when one fails, those before it are taken back. */
export async function writePatch(files: readonly PlannedFile[], ctx: ToolContext): Promise<ToolResult> {
  if (ctx.signal.aborted) return aborted('Nothing was changed: the call was interrupted.');
  for (const { target } of files) if (!(await isUnchanged(target))) return changedOnDisk(target.shown);
  const undo: Undo[] = [];
  for (const file of files) {
    const failure = await writeOne(file, undo);
    if (!failure) continue;
    const isUndone = await takeBack(undo);
    return withNote(
      failure,
      isUndone ? ' No file was changed.' : ' Some files were changed: look at them with git diff.',
    );
  }
  return success(files, ctx);
}

async function writeOne({ target, bytes }: PlannedFile, undo: Undo[]): Promise<ToolResult | undefined> {
  const { real, current, shown } = target;
  const before = current ? await readRegularFile(real, { maxBytes: current.stats.size, real }) : undefined;
  if (before && 'kind' in before) return changedOnDisk(shown);
  const stats = current?.stats;
  try {
    if (bytes === null) await removeFile(real);
    else if (!(await replaceFile(real, bytes, { stats, confirm: () => isUnchanged(target) })))
      return changedOnDisk(shown);
  } catch (error) {
    return writeError(error, target);
  }
  undo.push(() =>
    before ? replaceFile(real, before.bytes, { stats, confirm: async () => true }) : removeFile(real),
  );
  return undefined;
}

async function takeBack(undo: readonly Undo[]): Promise<boolean> {
  try {
    for (const step of undo.toReversed()) await step();
    return true;
  } catch (error) {
    log('a patch could not be taken back:', error);
    return false;
  }
}

function success(files: readonly PlannedFile[], ctx: ToolContext): ToolResult {
  const view = patchView(files);
  const lines = files.map(({ target, bytes, view: { change, added, removed }, tolerances }) => {
    const verb = bytes === null ? 'Deleted' : change === 'create' ? 'Added' : 'Updated';
    return `${verb} ${target.shown} (+${added} −${removed}).${tolerances.map(toleranceNote).join('')}`;
  });
  const sum = files.reduce(
    (total, { view: { added, removed } }) => ({
      added: total.added + added,
      removed: total.removed + removed,
    }),
    { added: 0, removed: 0 },
  );
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: lines.join('\n') }],
    view,
    summary: diffSummary(sum),
    fileStates: files.flatMap((file) => stateOf(file, ctx)),
  };
}

/** A file that the model has only seen a part of does not become known by changing that. */
function stateOf({ target, bytes }: PlannedFile, ctx: ToolContext): FileState[] {
  const isKnown = !target.current || ctx.ledger.seen(target.real) === target.current.sha256;
  if (bytes === null) return [{ path: target.real, sha256: null }];
  return isKnown ? [{ path: target.real, sha256: hashBytes(bytes) }] : [];
}

function changedOnDisk(shown: string): ToolResult {
  return toolError(
    'changed_on_disk',
    `${shown} was changed on disk at this very moment. Read it again, then make the patch anew.`,
  );
}

function withNote(result: ToolResult, note: string): ToolResult {
  const [first] = result.forModel;
  return { ...result, forModel: [{ kind: 'text', text: (first?.kind === 'text' ? first.text : '') + note }] };
}
