import { setsSince } from '#engine/rewind/choose-sets.ts';
import type { RevertStep } from '#engine/rewind/plan-revert.ts';
import { changeStore, planFor } from '#engine/rewind/thread-changes.ts';
import { displayPath } from '#lib/paths.ts';
import type { RewindFile, RewindPreview } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { diffSummary } from '#tools/files/diff-view.ts';
import { formChange, formDiff } from './form-diff.ts';

/** Of more files than this only the names are shown. */
const comparedFiles = 60;

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
  { store, cwd, isCompared }: { store: ReturnType<typeof changeStore>; cwd: string; isCompared: boolean },
): Promise<RewindFile> {
  const view = isCompared ? await formDiff({ path, before: now, after: target }, store) : null;
  const what = [formChange(now, target), view ? diffSummary(view) : ''].filter(Boolean).join('  ');
  return { path, shown: displayPath(path, cwd), state, what, view };
}
