import type { FileChange, FileForm } from '#protocol/rewind.ts';
import type { BlobStore } from './blob-store.ts';
import { isSameForm, readForm } from './file-form.ts';

/**
 * What turning back means for one path. `edited`: somebody else changed it after or between the changes, so that
 * putting it back would destroy that. `lost`: what was there was not kept.
 */
export type RevertStep = {
  path: string;
  now: FileForm;
  target: FileForm;
  state: 'ready' | 'edited' | 'lost';
};

/** Files of which more than this was kept are kept whole before they are overwritten. */
const maxBytes = 50_000_000;

/**
 * Turns sets of changes, oldest first, into one step a path. Paths that already are what they were are left out.
 * Looks at the files as they are now.
 */
export async function planRevert(
  sets: readonly (readonly FileChange[])[],
  store: BlobStore,
): Promise<RevertStep[]> {
  const spans = new Map<string, { target: FileForm; expected: FileForm; isBroken: boolean }>();
  for (const changes of sets)
    for (const { path, before, after } of changes) {
      const span = spans.get(path);
      if (!span) spans.set(path, { target: before, expected: after, isBroken: false });
      else {
        span.isBroken ||= !isSameForm(span.expected, before);
        span.expected = after;
      }
    }
  const steps: RevertStep[] = [];
  for (const [path, { target, expected, isBroken }] of spans) {
    const now = await readForm(path, { store, maxBytes });
    if (isSameForm(now, target)) continue;
    const isLost = target.kind === 'unsaved' || (target.kind === 'file' && !(await store.has(target.sha256)));
    const isEdited = isBroken || !isSameForm(now, expected);
    steps.push({ path, now, target, state: isLost ? 'lost' : isEdited ? 'edited' : 'ready' });
  }
  return steps.sort((a, b) => (a.path < b.path ? -1 : 1));
}
