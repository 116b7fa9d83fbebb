import type { Reading } from '../reading.ts';
import { reasons } from '../reading.ts';
import { type Source, stopAt } from '../source.ts';
import { callObjects, noteCallObject, readJson, takeJson } from './json.ts';
import { parsePythonCalls } from './python.ts';

const ends = ['<|eom_id|>', '<|eot_id|>'];
const end = stopAt(...ends);

/** After Llama's `<|python_tag|>`: JSON, or a call of a built-in tool in Python. Other Python is not for us. */
export function* readPythonTag(source: Source, reading: Reading): Generator<void, boolean> {
  yield* source.blank();
  if (yield* source.isNext(/\{/)) {
    do {
      const objects = callObjects(readJson(yield* takeJson(source)));
      if (objects.length === 0) reading.problem(reasons.json);
      for (const object of objects) if (!noteCallObject(object, reading)) reading.problem(reasons.name);
      yield* source.takeWhile(/[\s;,]/);
    } while (yield* source.isNext(/\{/));
    yield* source.skip(...ends);
    return true;
  }
  const parts: string[] = [];
  yield* source.stream(end, (text) => parts.push(text));
  yield* source.skip(...ends);
  return notePython(parts.join(''), reading);
}

/** False: it is no call, or one of a tool that is not on offer. */
export function notePython(text: string, reading: Reading): boolean {
  const calls = parsePythonCalls(text);
  if (!calls) return false;
  const found = calls.map(({ name, input }) => ({ tool: reading.tools.find(name), input }));
  if (found.some(({ tool }) => tool === undefined)) return false;
  for (const { tool, input } of found) if (tool !== undefined) reading.call(tool, input);
  return true;
}
