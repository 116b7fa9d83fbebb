import { scrubSecrets } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';

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

/** What a command prints, also while it runs. */
export function hideInView(view: ToolView): ToolView {
  return view.kind === 'terminal' ? { ...view, output: scrubSecrets(view.output) } : view;
}
