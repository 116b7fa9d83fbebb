import type { JsonObject } from '../../wire/json.ts';
import { type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';
import { stopAt } from '../source.ts';
import { readFunctionTag } from './function-tag.ts';
import { callObjects, noteCallObject, readJson, takeArguments, takeJson } from './json.ts';
import { takeName, takeValue, withoutFrame } from './markup.ts';

/** `<tool_call>` with what the families put into it: JSON (Hermes), `<function=…>` (Qwen), a name and keys (GLM). */
export function* readToolCallTag(source: Source, reading: Reading): Generator<void, boolean> {
  yield* source.blank();
  if (!(yield* source.has())) {
    reading.problem(reasons.cut);
    return true;
  }
  if (yield* source.skip('<function=')) return yield* readFunctionTag(source, reading);
  if (yield* source.isNext(/[{[]/)) return yield* readObjects(source, reading);
  const name = yield* takeName(source);
  if (!/[\p{Letter}]/u.test(name)) return false;
  return yield* readNamed(source, reading, name);
}

function* readObjects(source: Source, reading: Reading): Generator<void, boolean> {
  const objects = callObjects(readJson(yield* takeJson(source)));
  if (objects.length === 0) reading.problem(reasons.json);
  for (const object of objects) if (!noteCallObject(object, reading)) reading.problem(reasons.name);
  yield* close(source);
  return true;
}

/** A name and its arguments, in the shapes that GLM's format takes behind servers which eat half of its marks. */
function* readNamed(source: Source, reading: Reading, name: string): Generator<void, boolean> {
  const tool = reading.tools.find(name);
  yield* source.blank();
  if (yield* source.skip('</tool_call>')) {
    if (tool) reading.call(tool, {});
    return tool !== undefined;
  }
  if (yield* source.skip('<arg_key>')) {
    yield* readPairs(source, reading, name);
    return true;
  }
  if (!(yield* source.has())) {
    if (tool) reading.problem(reasons.cut, tool);
    return tool !== undefined;
  }
  yield* source.skip('>', '}');
  yield* source.blank();
  if (!(yield* source.isNext(/\{/))) return false;
  yield* takeArguments(source, reading, name);
  yield* close(source);
  return true;
}

const keyEnd = stopAt('</arg_key>');
const valueFollowers = ['<arg_key>', '<arg_value>', '</tool_call>'];

/** After `<arg_key>`. Keys and values come in turns, or first all keys and then all values. */
function* readPairs(source: Source, reading: Reading, name: string): Generator<void, void> {
  const tool = reading.tools.find(name);
  if (!tool) return reading.unknown(name);
  const keys: string[] = [];
  const values: string[] = [];
  let mark: string | undefined = '<arg_key>';
  while (mark === '<arg_key>' || mark === '<arg_value>') {
    if (mark === '<arg_key>') {
      const key = yield* takeName(source);
      if (keys.length === 0 && (yield* source.isNext(/"/)))
        return yield* readGluedJson(source, reading, name);
      if (yield* source.isNext(/[{[]/)) return reading.problem(reasons.form, tool);
      const rest = yield* source.until(keyEnd);
      if (rest === undefined) return reading.problem(reasons.cut, tool);
      yield* source.skip('</arg_key>');
      keys.push(`${key}${rest}`.trim());
    } else {
      const value = yield* takeValue(source, { close: '</arg_value>', followers: valueFollowers });
      if (value === undefined) return reading.problem(reasons.cut, tool);
      values.push(withoutFrame(value, { needsBoth: true }));
    }
    yield* source.blank();
    mark = yield* source.skip(...valueFollowers);
  }
  if (mark === undefined) return reading.problem((yield* source.has()) ? reasons.form : reasons.cut, tool);
  if (keys.length !== values.length) return reading.problem(reasons.form, tool);
  reading.call(tool, typedPairs(keys, values, { tool, reading }));
}

function typedPairs(
  keys: readonly string[],
  values: readonly string[],
  { tool, reading }: { tool: string; reading: Reading },
): JsonObject {
  const pairs = keys.map((key, index) => [key, reading.tools.typed(tool, key, values[index] ?? '')]);
  return Object.fromEntries(pairs) as JsonObject;
}

/** `<arg_key>args": {…}}</arg_value>`: the JSON form, of which the marks ate the beginning. */
function* readGluedJson(source: Source, reading: Reading, name: string): Generator<void, void> {
  yield* source.skip('"');
  yield* source.blank();
  yield* source.skip(':');
  yield* source.blank();
  if (!(yield* source.isNext(/\{/))) return reading.problem(reasons.form, reading.tools.find(name));
  yield* takeArguments(source, reading, name);
  yield* close(source);
}

/** Takes the end of a block whose JSON is whole; that it is missing or another one does no harm. */
function* close(source: Source): Generator<void, void> {
  yield* source.takeWhile(/[\s}\]]/);
  yield* source.skip('</tool_call>', '</arg_value>', '</arg_key>', '</function>');
  yield* source.blank();
  yield* source.skip('</tool_call>');
}
