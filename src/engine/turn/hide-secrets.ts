import { scrubSecretLines, scrubSecrets } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { DiffHunk, DiffView, ToolView } from '#protocol/tool-view.ts';

/**
 * A result with a mark in place of everything that looks like a secret, for the model, the log and the screen.
 * Nothing is said beside the marks: a result that was scrubbed before comes out the same.
 */
export function hideSecrets(result: ToolResult): ToolResult {
  const forModel = result.forModel.map((content) =>
    content.kind === 'text' ? { ...content, text: scrubSecrets(content.text) } : content,
  );
  const { view } = result;
  return { ...result, forModel, ...(view ? { view: hideInView(view) } : {}) };
}

/** What a view shows, also while a command runs. */
export function hideInView(view: ToolView): ToolView {
  switch (view.kind) {
    case 'text':
    case 'markdown':
      return { ...view, text: scrubSecrets(view.text) };
    case 'terminal':
      return { ...view, output: scrubSecrets(view.output) };
    case 'diff':
      return hideInDiff(view);
    case 'diffs':
      return { ...view, files: view.files.map(hideInDiff) };
    case 'table':
      return { ...view, rows: view.rows.map((row) => row.map(scrubSecrets)) };
    case 'files':
    case 'image':
      return view;
  }
}

function hideInDiff(view: DiffView): DiffView {
  return { ...view, hunks: view.hunks.map(hideInHunk) };
}

/** A secret may go over several lines, and each line stays one. */
function hideInHunk(hunk: DiffHunk): DiffHunk {
  const whole = hunk.lines.map(({ text }) => text).join('\n');
  const hidden = scrubSecretLines(whole);
  if (hidden === whole) return hunk;
  const texts = hidden.split('\n');
  return { ...hunk, lines: hunk.lines.map((line, index) => ({ ...line, text: texts[index] ?? '' })) };
}
