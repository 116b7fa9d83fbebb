import { getChanges } from '#engine/rewind/change-lists.ts';
import { lastSets } from '#engine/rewind/choose-sets.ts';
import { changeStore } from '#engine/rewind/thread-changes.ts';
import { displayPath } from '#lib/paths.ts';
import type { FileForm } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { formChange, formDiff } from './form-diff.ts';

/** Files that a thread changed: as a diff where they are text, else in words. */
export type ThreadDiff = { views: DiffView[]; others: string[] };

/** What calls changed with the last `prompts` prompts that changed anything, one entry a file, sorted by path. */
export async function threadDiff(
  state: ThreadState,
  { home, prompts }: { home: string; prompts: number },
): Promise<ThreadDiff> {
  const store = changeStore(home, state.cwd);
  const spans = new Map<string, { before: FileForm; after: FileForm }>();
  for (const set of lastSets(state, prompts))
    for (const { path, before, after } of await getChanges(store, set))
      spans.set(path, { before: spans.get(path)?.before ?? before, after });
  const diff: ThreadDiff = { views: [], others: [] };
  for (const [path, { before, after }] of [...spans].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const shown = displayPath(path, state.cwd);
    const view = await formDiff({ path: shown, before, after }, store);
    if (view) diff.views.push(view);
    else if (formChange(before, after) !== '') diff.others.push(`${shown} ${formChange(before, after)}`);
  }
  return diff;
}
