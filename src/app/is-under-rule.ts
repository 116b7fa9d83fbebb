import { findTool, readInput } from '#engine/turn/tool-input.ts';
import type { RuleSource } from '#permissions/gate.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';

/** True when any part of the call falls under the rule: what a deny rule of the same text would refuse. */
export function isUnderRule(
  {
    rule,
    call,
    tools,
    cwd,
    roots,
  }: {
    rule: string;
    call: { tool: string; input: JsonValue };
    tools: readonly ToolDef[];
    cwd: string;
    roots: readonly string[];
  },
  gateWith: (rules: readonly RuleSource[]) => PermissionGate,
): boolean {
  const tool = findTool(tools, call.tool);
  const ready = tool && readInput(tool, call.input);
  // A hook that cannot be told whether it is meant runs.
  if (!tool || !ready || typeof ready === 'string') return true;
  const gate = gateWith([{ file: 'hook', origin: 'flag', allow: [], ask: [], deny: [rule] }]);
  const { decision, reasons } = gate.decide({
    tool: tool.name,
    effect: tool.effect,
    input: ready.input,
    resources: tool.touches(ready.input, { cwd, roots }),
    mode: 'full_access',
  });
  return decision === 'deny' && reasons.some((reason) => reason.rule !== undefined);
}
