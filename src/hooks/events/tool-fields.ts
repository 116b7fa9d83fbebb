import path from 'node:path';
import type { JsonValue } from '#protocol/json.ts';
import { claudeParameterName, claudeToolName, ownParameterName, ownToolName } from '#protocol/tool-names.ts';
import type { HookFields, HookSurroundings } from './define-hook-event.ts';

type Call = { callId: string; tool: string; input: JsonValue };

export const sampleCall: Call = {
  callId: 'call-1',
  tool: 'edit_file',
  input: { path: 'src/a.ts', old_string: 'a - b', new_string: 'a + b' },
};

export function toolFields({ callId, tool, input }: Call): HookFields {
  return { call_id: callId, tool, input };
}

/** Claude's hooks know the paths of files as absolute ones. */
export function claudeToolFields({ callId, tool, input }: Call, { cwd }: HookSurroundings): HookFields {
  const renamed = mapFields(input, (key, value) => {
    const name = claudeParameterName(tool, key);
    const isFile = name !== key && typeof value === 'string';
    return [name, isFile ? path.resolve(cwd, value) : toClaudeUnit(tool, key, value)];
  });
  return { tool_name: claudeToolName(tool), tool_input: renamed, tool_use_id: callId };
}

/** An input that a Claude hook wrote, in our names and units. */
export function inputFromClaude(tool: string, input: JsonValue): JsonValue {
  return mapFields(input, (key, value) => [ownParameterName(tool, key), fromClaudeUnit(tool, key, value)]);
}

/** Claude's Bash counts its timeout in milliseconds, ours in seconds. */
function toClaudeUnit(tool: string, key: string, value: JsonValue): JsonValue {
  return isTimeout(tool, key) && typeof value === 'number' ? value * 1_000 : value;
}

function fromClaudeUnit(tool: string, key: string, value: JsonValue): JsonValue {
  return isTimeout(tool, key) && typeof value === 'number' ? Math.ceil(value / 1_000) : value;
}

function isTimeout(tool: string, key: string): boolean {
  return ownToolName(tool) === 'bash' && key === 'timeout';
}

function mapFields(input: JsonValue, map: (key: string, value: JsonValue) => [string, JsonValue]): JsonValue {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => map(key, value)));
}
