import type { JsonValue } from '#protocol/json.ts';
import { claudeParameterName } from '#protocol/tool-names.ts';

/** A tool's input under the parameter names that readers of these streams know. */
export function claudeInput(tool: string, input: JsonValue): JsonValue {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [claudeParameterName(tool, key), value]),
  );
}
