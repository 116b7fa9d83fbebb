import type { JsonValue } from '#protocol/json.ts';
import { parseJson } from '../../wire/json.ts';
import { type Reader, type Reading, reasons } from '../reading.ts';
import { type Source, stopAt } from '../source.ts';
import { takeValue, withoutFrame } from './markup.ts';

/** Before the names of all tags; DeepSeek's is a special token. */
const prefixes = ['', 'antml:', '｜DSML｜', '|DSML|'];
const wrappers = [
  ...prefixes.flatMap((prefix) => [`${prefix}function_calls`, `${prefix}tool_calls`]),
  'minimax:tool_call',
];

const quote = stopAt('"');
const bracket = stopAt('>');

/** `<invoke name="…">` with `<parameter name="…">`, as Claude, MiniMax and DeepSeek write it; by opening mark. */
export const invokeReaders: readonly (readonly [string, Reader])[] = [
  ...prefixes.map((prefix) => [`<${prefix}invoke name="`, bare(prefix)] as const),
  ...wrappers.map((name) => [`<${name}>`, wrapped(`</${name}>`)] as const),
];

function bare(prefix: string): Reader {
  return (source, reading) => readInvoke(source, reading, prefix);
}

function wrapped(close: string): Reader {
  return function* read(source, reading) {
    let isAny = false;
    while (true) {
      yield* source.blank();
      if (yield* source.skip(close)) return isAny;
      const opener = yield* source.skip(...prefixes.map((prefix) => `<${prefix}invoke name="`));
      if (!opener) return isAny;
      const prefix = opener.slice(1, opener.indexOf('invoke'));
      if (!(yield* readInvoke(source, reading, prefix))) return isAny;
      isAny = true;
    }
  };
}

/** After `<invoke name="`. */
function* readInvoke(source: Source, reading: Reading, prefix: string): Generator<void, boolean> {
  const name = yield* source.until(quote);
  if (name === undefined) {
    reading.problem(reasons.cut);
    return true;
  }
  const tool = reading.tools.find(name);
  if (!tool) {
    reading.unknown(name);
    return true;
  }
  const entries: [string, JsonValue][] = [];
  yield* source.until(bracket);
  yield* source.skip('>');
  while (true) {
    yield* source.blank();
    if (yield* source.skip(`</${prefix}invoke>`)) {
      reading.call(tool, Object.fromEntries(entries));
      return true;
    }
    const parameter = (yield* source.skip(`<${prefix}parameter name="`))
      ? yield* takeParameter(source, { reading, tool, prefix })
      : undefined;
    if (!parameter) {
      reading.problem((yield* source.has()) ? reasons.form : reasons.cut, tool);
      return true;
    }
    entries.push([parameter.key, parameter.value]);
  }
}

function* takeParameter(
  source: Source,
  { reading, tool, prefix }: { reading: Reading; tool: string; prefix: string },
): Generator<void, { key: string; value: JsonValue } | undefined> {
  const key = yield* source.until(quote);
  const attributes = yield* source.until(bracket);
  yield* source.skip('>');
  const value = yield* takeValue(source, {
    close: `</${prefix}parameter>`,
    followers: [`<${prefix}parameter name="`, `</${prefix}invoke>`],
  });
  if (key === undefined || attributes === undefined || value === undefined) return undefined;
  // DeepSeek says of each value whether it is text or JSON.
  const isJson = attributes.includes('string="false"');
  const isText = attributes.includes('string="true"');
  const text = withoutFrame(value, { needsBoth: true });
  if (isText) return { key, value: text };
  return { key, value: isJson ? (parseJson(text) ?? text) : reading.tools.typed(tool, key, text) };
}
