import { findSecrets, scrubSecrets } from '#lib/secrets.ts';
import type { ToolContent, ToolResult } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';

/** A result with a mark in place of everything that looks like a secret, for the model, the log and the screen. */
export function hideSecrets(result: ToolResult): ToolResult {
  let hidden = 0;
  const forModel = result.forModel.map((content): ToolContent => {
    if (content.kind !== 'text') return content;
    const found = findSecrets(content.text).length;
    hidden += found;
    return found === 0 ? content : { ...content, text: scrubSecrets(content.text) };
  });
  const { view } = result;
  const shown = view && hideInView(view);
  if (hidden > 0) forModel.push({ kind: 'text', text: note(hidden) });
  return { ...result, forModel, ...(shown ? { view: shown } : {}) };
}

/** What a command prints, also while it runs. */
export function hideInView(view: ToolView): ToolView {
  return view.kind === 'terminal' ? { ...view, output: scrubSecrets(view.output) } : view;
}

function note(hidden: number): string {
  const what = hidden === 1 ? 'What looks like a secret was' : `${hidden} things that look like secrets were`;
  return `[${what} replaced by a mark that begins with [secret:. Work without the value.]`;
}
