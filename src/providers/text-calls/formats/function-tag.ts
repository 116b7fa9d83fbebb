import type { JsonValue } from '#protocol/json.ts';
import { type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';
import { takeArguments } from './json.ts';
import { takeName, takeValue, withoutFrame } from './markup.ts';

const followers = ['<parameter=', '</function>', '</tool_call>'];

/** After `<function=`: a name and parameters in tags (Qwen3-Coder), or a JSON object (Llama 3.1). */
export function* readFunctionTag(source: Source, reading: Reading): Generator<void, boolean> {
  const name = yield* takeName(source);
  if (name === '' || !(yield* source.skip('>'))) return false;
  const tool = reading.tools.find(name);
  yield* source.blank();
  if (yield* source.isNext(/\{/)) {
    yield* takeArguments(source, reading, name);
    yield* source.blank();
    yield* source.skip('</function>');
    return true;
  }
  const entries: [string, JsonValue][] = [];
  while (true) {
    const mark = yield* source.skip(...followers);
    if (!tool && !mark) return false;
    if (!tool) reading.unknown(name);
    if (!tool) return true;
    if (!mark) {
      reading.problem((yield* isCut(source)) ? reasons.cut : reasons.form, tool);
      return true;
    }
    if (mark !== '<parameter=') {
      reading.call(tool, Object.fromEntries(entries));
      if (mark === '</tool_call>') return true;
      yield* source.blank();
      yield* source.skip('</tool_call>');
      return true;
    }
    const key = yield* takeName(source);
    const isOpen = yield* source.skip('>');
    const value = isOpen && (yield* takeValue(source, { close: '</parameter>', followers }));
    if (value === undefined) {
      reading.problem(reasons.cut, tool);
      return true;
    }
    entries.push([key, reading.tools.typed(tool, key, withoutFrame(value))]);
  }
}

/** The text ends here, perhaps with the beginning of another tag. */
function* isCut(source: Source): Generator<void, boolean> {
  return !(yield* source.has(followers[1]?.length));
}
