import { isDeeper } from '#lib/json-depth.ts';
import type { JsonValue } from '#protocol/json.ts';
import { asObject, asText, parseJson } from './wire/json.ts';

/** No tool takes anything near it, and walking through deeper values would end the stack. */
const maxDepth = 100;

/** The arguments of a call. What is no JSON object must not run: it is kept as it came in `rawInput`. */
export function readArguments(text: string): { input: JsonValue; rawInput?: string } {
  if (text.trim() === '') return { input: {} };
  const value = parseJson(text);
  // Some models write the JSON once more as a JSON string.
  const inner = asText(value);
  const input =
    asObject(value) ??
    asObject(inner === undefined ? undefined : parseJson(inner)) ??
    asObject(parseJson(unrepeated(text)));
  return input && !isDeeper(input, maxDepth) ? { input } : { input: {}, rawInput: inner ?? text };
}

/** Some gateways send the whole arguments two or three times in a row. */
function unrepeated(text: string): string {
  for (let times = 2; times <= 4; times += 1) {
    if (text.length % times !== 0) continue;
    const once = text.slice(0, text.length / times);
    if (once.repeat(times) === text) return once;
  }
  return text;
}
