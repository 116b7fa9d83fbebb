import type { ToolView } from '#protocol/tool-view.ts';
import type { PlannedFile } from './plan-patch.ts';

/** Each file as a diff. A file that only moves is shown once, under both of its names. */
export function patchView(files: readonly PlannedFile[]): ToolView {
  const views = files
    .map(({ view }) => view)
    .filter(({ hunks, change }) => hunks.length > 0 || change !== 'delete');
  const [only] = views;
  return views.length === 1 && only ? only : { kind: 'diffs', files: views };
}
