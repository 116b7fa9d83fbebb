import { type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';
import { callObjects, noteCallObject, readJson, takeArguments, takeJson } from './json.ts';
import { takeName } from './markup.ts';

/** After `[TOOL_CALLS]`: a list of objects, or a name and its arguments in the newer form. */
export function* readMistral(source: Source, reading: Reading): Generator<void, boolean> {
  yield* source.blank();
  if (!(yield* source.has())) {
    reading.problem(reasons.cut);
    return true;
  }
  if (yield* source.isNext(/[{[]/)) {
    const text = yield* takeJson(source);
    const objects = callObjects(readJson(text));
    if (objects.length === 0) reading.problem(text === undefined ? reasons.cut : reasons.json);
    for (const object of objects) if (!noteCallObject(object, reading)) reading.problem(reasons.name);
    return true;
  }
  const name = yield* takeName(source);
  if (yield* source.skip('[CALL_ID]')) yield* takeName(source);
  const isMarked = yield* source.skip('[ARGS]');
  yield* source.blank();
  if (yield* source.isNext(/\{/)) {
    yield* takeArguments(source, reading, name);
    return true;
  }
  const tool = reading.tools.find(name);
  if (!tool && !isMarked) return false;
  reading.problem((yield* source.has()) ? reasons.json : reasons.cut, tool);
  return true;
}
