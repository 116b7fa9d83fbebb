import type { ToolResult } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import type { PlannedChange } from './write-change.ts';

/** What the permission dialog shows: the diff, or the error that there will be instead. */
export function planPreview(plan: PlannedChange | ToolResult): ToolView | ToolResult {
  return 'status' in plan ? plan : plan.view;
}
