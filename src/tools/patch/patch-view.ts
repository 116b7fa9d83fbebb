import type { DiffView, ToolView } from '#protocol/tool-view.ts';
import type { PlannedFile } from './plan-patch.ts';

/** One file as a diff; several as one text, since a view is about one file. */
export function patchView(files: readonly PlannedFile[]): ToolView {
  const shown = files.filter(({ view }) => view.hunks.length > 0 || view.change !== 'delete');
  const [only] = shown;
  if (shown.length === 1 && only) return only.view;
  const text = files.map(({ view }) => unified(view)).join('\n');
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return { kind: 'markdown', text: `${fence}diff\n${text}\n${fence}` };
}

function unified({ path, change, hunks, omittedLines }: DiffView): string {
  const lines = hunks.flatMap(({ oldStart, newStart, lines: all }) => [
    `@@ -${oldStart} +${newStart} @@`,
    ...all.map(({ op, text }) => op + text),
  ]);
  const more = omittedLines ? [`… ${omittedLines} more lines`] : [];
  return [`${{ create: 'add', modify: 'update', delete: 'delete' }[change]} ${path}`, ...lines, ...more].join(
    '\n',
  );
}
