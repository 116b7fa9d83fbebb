import { z } from 'zod';
import { nearestName, relatedNames } from '#lib/nearest.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { vagueToolWords } from '#protocol/tool-names.ts';

type JsonObject = { [key: string]: JsonValue };

/** A call that is ready to be decided; `input` passed the tool's schema. */
export type ReadyCall = { tool: ToolDef; input: JsonValue };

/** A tool by its name or by one of its aliases, upper and lower case alike. */
export function findTool(tools: readonly ToolDef[], name: string): ToolDef | undefined {
  const wanted = name.trim().toLowerCase();
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => [tool.name, ...(tool.aliases ?? [])].some((known) => known.toLowerCase() === wanted))
  );
}

/**
 * Finds the tool and reads its input. A string is what went wrong, in words that the model can act on; of the tools
 * it names those that are offered.
 */
export function readCall(
  { tools, offered }: { tools: readonly ToolDef[]; offered: readonly string[] },
  call: { tool: string; input: JsonValue; rawInput?: string | undefined },
): ReadyCall | string {
  const tool = findTool(tools, call.tool);
  if (!tool) return unknownTool(offered, call.tool);
  if (call.rawInput !== undefined) return badJson(tool, call.rawInput);
  return readInput(tool, call.input);
}

export function readInput(tool: ToolDef, input: JsonValue): ReadyCall | string {
  const named = renameKeys(input, tool.inputAliases ?? {});
  const first = tool.input.safeParse(named);
  if (first.success) return { tool, input: first.data as JsonValue };
  // Small models send `"5"` for 5 and a list as a string of JSON; no other meaning is possible.
  const mended = tool.input.safeParse(mend(named, first.error));
  if (mended.success) return { tool, input: mended.data as JsonValue };
  return badInput(tool, { named, error: first.error });
}

function renameKeys(input: JsonValue, aliases: Readonly<Record<string, string>>): JsonValue {
  if (!isObject(input)) return input;
  const entries = Object.entries(input).map(([key, value]): [string, JsonValue] => {
    const name = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    return [name !== undefined && !Object.hasOwn(input, name) ? name : key, value];
  });
  return Object.fromEntries(entries);
}

function mend(input: JsonValue, error: z.ZodError): JsonValue {
  if (!isObject(input)) return input;
  const result: JsonObject = { ...input };
  for (const issue of error.issues) {
    const [key] = issue.path;
    if (typeof key !== 'string' || !Object.hasOwn(input, key)) continue;
    const value = input[key];
    if (value === null) delete result[key];
    if (typeof value !== 'string') continue;
    try {
      result[key] = JSON.parse(value) as JsonValue;
    } catch {
      // Not that mistake; the error stands.
    }
  }
  return result;
}

function unknownTool(names: readonly string[], name: string): string {
  const related = relatedNames(name, names, vagueToolWords);
  const hint = related.length > 0 ? ` Did you mean ${related.join(' or ')}?` : '';
  return `There is no tool "${name}".${hint} The tools are: ${names.join(', ')}.`;
}

function badJson(tool: ToolDef, raw: string): string {
  const start = raw.length > 200 ? `${raw.slice(0, 200)}…` : raw;
  return (
    `The arguments of ${tool.name} were no JSON object, so it was not run. They began: ${start}\n` +
    `Call it again with one valid JSON object. ${expectation(tool)}`
  );
}

function badInput(tool: ToolDef, { named, error }: { named: JsonValue; error: z.ZodError }): string {
  const known = parameterNames(tool);
  const lines = error.issues
    .slice(0, 8)
    .map((issue) => `- ${issue.path.join('.') || 'input'}: ${problemOf(issue)}`);
  const strange = isObject(named) ? Object.keys(named).filter((key) => !known.includes(key)) : [];
  for (const key of strange.slice(0, 8)) {
    const nearest = nearestName(key, known);
    lines.push(`- ${key}: unknown parameter${nearest ? `, did you mean ${nearest}?` : ''}`);
  }
  return `${tool.name} was not run, its input is not valid:\n${lines.join('\n')}\n${expectation(tool)}`;
}

/** `is missing`, `expected string, received array` */
function problemOf({ message }: { message: string }): string {
  const [, problem] = /^Invalid input: (.+)$/s.exec(message) ?? [];
  if (problem === undefined) return message;
  return problem.endsWith('received undefined') ? 'is missing' : problem;
}

/** `Parameters: path, offset (optional), limit (optional).` */
function expectation(tool: ToolDef): string {
  const { properties, required } = parametersOf(tool);
  const names = Object.keys(properties).map((name) =>
    required.includes(name) ? name : `${name} (optional)`,
  );
  return names.length === 0 ? `${tool.name} takes no parameters.` : `Parameters: ${names.join(', ')}.`;
}

function parameterNames(tool: ToolDef): string[] {
  return Object.keys(parametersOf(tool).properties);
}

function parametersOf(tool: ToolDef): { properties: Record<string, unknown>; required: string[] } {
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  return { properties: schema.properties ?? {}, required: schema.required ?? [] };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
