import { isDeeper } from '#lib/json-depth.ts';
import type { JsonValue } from '#protocol/json.ts';
import { asArray, asObject, asText, type JsonObject, parseJson } from '../../wire/json.ts';
import { type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';

const maxDepth = 100;
const argumentKeys = ['arguments', 'parameters', 'args', 'input', 'tool_input'];

/**
 * Takes one JSON list or object. Marks inside of its strings are content; a `<` or a backtick outside of them is
 * none of JSON's and ends a broken one. undefined: it never closed.
 */
export function* takeJson(source: Source): Generator<void, string | undefined> {
  const parts: string[] = [];
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  while (yield* source.has()) {
    let length = 0;
    for (; length < source.available; length += 1) {
      const char = source.char(length);
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (char === '\\') isEscaped = true;
        else if (char === '"') isInString = false;
        continue;
      }
      if (char === '"') isInString = true;
      else if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') depth -= 1;
      else if (char === '<' || char === '`') {
        parts.push(source.take(length));
        return undefined;
      }
      if (depth === 0) {
        parts.push(source.take(length + 1));
        return parts.join('');
      }
    }
    parts.push(source.take(length));
  }
  return undefined;
}

/** undefined when it is no JSON even with raw line breaks in its strings allowed, which many models write. */
export function readJson(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  const value = parseJson(text) ?? parseJson(withEscapedControls(text));
  return isDeeper(value, maxDepth) ? undefined : value;
}

/** Takes the JSON object that holds the arguments of `name` and notes the call. */
export function* takeArguments(source: Source, reading: Reading, name: string): Generator<void, void> {
  const tool = reading.tools.find(name);
  const input = argumentsOf(readJson(yield* takeJson(source)));
  if (!tool) reading.unknown(name);
  else if (input) reading.call(tool, unwrapped(input, { tool, reading }));
  else reading.problem(reasons.json, tool);
}

/** Notes the call that a JSON object describes. False: it describes none. */
export function noteCallObject(value: JsonValue | undefined, reading: Reading): boolean {
  const described = describedCall(value);
  if (!described) return false;
  const { name, args } = described;
  const tool = reading.tools.find(name);
  const input = args === undefined ? {} : argumentsOf(args);
  if (!tool) reading.unknown(name);
  else if (input) reading.call(tool, input);
  else reading.problem(reasons.json, tool);
  return true;
}

/** Name and arguments of the call that an object describes; `args` undefined when it has none. */
export function describedCall(
  value: JsonValue | undefined,
): { name: string; args: JsonValue | undefined } | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const inner = asObject(object['function']);
  if (inner) return describedCall(inner);
  const name = ['name', 'tool', 'tool_name', 'function'].flatMap((key) => asText(object[key]) ?? [])[0];
  if (name === undefined) return undefined;
  const key = argumentKeys.find((candidate) => Object.hasOwn(object, candidate));
  return { name, args: key === undefined ? undefined : object[key] };
}

/** The objects of a list, or the one object. */
export function callObjects(value: JsonValue | undefined): JsonValue[] {
  return asArray(value) ?? (value === undefined ? [] : [value]);
}

/** Some models write the object once more as a JSON string. */
function argumentsOf(value: JsonValue | undefined): JsonObject | undefined {
  const text = asText(value);
  return asObject(text === undefined ? value : readJson(text));
}

/** `{"args": {…}}` where the arguments themselves belong. */
function unwrapped(input: JsonObject, { tool, reading }: { tool: string; reading: Reading }): JsonObject {
  const [key, ...others] = Object.keys(input);
  if (key === undefined || others.length > 0 || !argumentKeys.includes(key)) return input;
  return reading.tools.has(tool, key) ? input : (asObject(input[key]) ?? input);
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function withEscapedControls(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    string.replaceAll(/[\n\r\t]/g, (char) => escapes[char] ?? char),
  );
}
