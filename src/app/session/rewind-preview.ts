import { setsSince } from '#engine/rewind/choose-sets.ts';
import type { RevertStep } from '#engine/rewind/plan-revert.ts';
import { changeStore, planFor } from '#engine/rewind/thread-changes.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { displayPath } from '#lib/paths.ts';
import { decodeText } from '#lib/text-file.ts';
import type { FileForm, RewindFile, RewindPreview } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { diffSummary, diffView } from '#tools/files/diff-view.ts';

/** More files than this are only counted by name; their contents are not compared. */
const comparedFiles = 60;
const comparedBytes = 1_000_000;

type Store = ReturnType<typeof changeStore>;

/** What going back to before this message would do to files now. Changes nothing. */
export async function rewindPreview(
  state: ThreadState,
  { home, promptId }: { home: string; promptId: string },
): Promise<RewindPreview> {
  const store = changeStore(home, state.cwd);
  const steps = await planFor(store, setsSince(state, promptId));
  const files: RewindFile[] = [];
  for (const [index, step] of steps.entries())
    files.push(await rewindFile(step, { store, cwd: state.cwd, isCompared: index < comparedFiles }));
  return { files };
}

async function rewindFile(
  { path, now, target, state }: RevertStep,
  { store, cwd, isCompared }: { store: Store; cwd: string; isCompared: boolean },
): Promise<RewindFile> {
  const view = isCompared ? await difference({ path, now, target }, store) : null;
  const what = [whatHappens(now, target), view ? diffSummary(view) : ''].filter(Boolean).join('  ');
  return { path, shown: displayPath(path, cwd), state, what, view };
}

function whatHappens(now: FileForm, target: FileForm): string {
  if (target.kind === 'absent') return now.kind === 'folder' ? 'folder is removed' : 'is removed';
  if (now.kind === 'absent') return target.kind === 'folder' ? 'folder comes back' : 'comes back';
  if (target.kind === 'link') return `leads to ${target.target} again`;
  if (now.kind === 'file' && target.kind === 'file' && now.sha256 === target.sha256)
    return `gets mode ${target.mode.toString(8)} again`;
  return '';
}

async function difference(
  { path, now, target }: Pick<RevertStep, 'path' | 'now' | 'target'>,
  store: Store,
): Promise<DiffView | null> {
  const before = await textOf(now, store);
  const after = await textOf(target, store);
  if (before === null || after === null || before === after) return null;
  return diffView({ path, before: now.kind === 'absent' ? null : before, after });
}

/** null for what is no text, or too much of it. */
async function textOf(form: FileForm, store: Store): Promise<string | null> {
  if (form.kind === 'absent') return '';
  if (form.kind !== 'file' || form.size > comparedBytes) return null;
  try {
    const decoded = decodeText(await store.get(form.sha256));
    return decoded.kind === 'text' ? decoded.text : null;
  } catch (error) {
    if (LlmcodeError.isInstance(error)) return null; // Gone from the store; the plan says so.
    throw error;
  }
}
