import { findSecrets, scrubSecrets, secretMark } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { DiffHunk, ToolView } from '#protocol/tool-view.ts';

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

/** What a command prints, also while it runs, and the lines that a change shows. */
export function hideInView(view: ToolView): ToolView {
  switch (view.kind) {
    case 'terminal':
      return { ...view, output: scrubSecrets(view.output) };
    case 'diff':
      return { ...view, hunks: view.hunks.map(hideInHunk) };
    default:
      return view;
  }
}

/** A secret may go over several lines, and each line stays one. */
function hideInHunk(hunk: DiffHunk): DiffHunk {
  const found = findSecrets(hunk.lines.map(({ text }) => text).join('\n'));
  if (found.length === 0) return hunk;
  let lineStart = 0;
  const lines = hunk.lines.map((line) => {
    const { text } = line;
    const start = lineStart;
    lineStart += text.length + 1;
    let hidden = '';
    let from = 0;
    for (const secret of found) {
      const begin = Math.max(0, secret.start - start);
      const end = Math.min(text.length, secret.end - start);
      if (begin >= end) continue;
      hidden += text.slice(from, begin) + secretMark(secret.kind);
      from = end;
    }
    return from === 0 ? line : { ...line, text: hidden + text.slice(from) };
  });
  return { ...hunk, lines };
}
