import type { ToolResult } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import type { PlannedChange } from './write-change.ts';

/** What the permission dialog shows: the diff, or why there will be none. */
export function planPreview(plan: PlannedChange | ToolResult): ToolView {
  if (!('status' in plan)) return plan.view;
  const text = plan.forModel.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
  return { kind: 'text', text: `This call would fail: ${text}` };
}
