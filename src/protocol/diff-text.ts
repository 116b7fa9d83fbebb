import type { DiffView } from './tool-view.ts';

/** A change as text that other programs read. */
export function diffText(view: DiffView): string {
  const hunks = view.hunks.map((hunk) => {
    const lines = hunk.lines.map((line) => `${line.op}${line.text}`);
    return [`@@ -${hunk.oldStart} +${hunk.newStart} @@`, ...lines].join('\n');
  });
  return [`--- ${view.path}`, `+++ ${view.path}`, ...hunks].join('\n');
}
