import { type Reader, type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';
import { readJson, takeArguments, takeJson } from './json.ts';
import { takeName } from './markup.ts';

type Tokens = { begin: string; callBegin: string; separator: string; callEnd: string; end: string };

/** DeepSeek's special tokens, also as its distilled models spell them: other bars, other blanks. */
const deepseekTokens: readonly Tokens[] = ['｜', '|'].flatMap((bar) =>
  ['▁', '_', ' '].map((blank) => {
    const token = (...words: string[]) => `<${bar}${words.join(blank)}${bar}>`;
    return {
      begin: token('tool', 'calls', 'begin'),
      callBegin: token('tool', 'call', 'begin'),
      separator: token('tool', 'sep'),
      callEnd: token('tool', 'call', 'end'),
      end: token('tool', 'calls', 'end'),
    };
  }),
);

const kimiTokens: Tokens = {
  begin: '<|tool_calls_section_begin|>',
  callBegin: '<|tool_call_begin|>',
  separator: '<|tool_call_argument_begin|>',
  callEnd: '<|tool_call_end|>',
  end: '<|tool_calls_section_end|>',
};

/** Sections of calls between special tokens; by opening mark. */
export const tokenReaders: readonly (readonly [string, Reader])[] = [
  ...deepseekTokens.flatMap((tokens) => section(tokens, readDeepseekCall)),
  ...section(kimiTokens, readKimiCall),
];

/** False: what stands here is no call. */
type CallReader = (source: Source, reading: Reading, tokens: Tokens) => Generator<void, boolean>;

function section(tokens: Tokens, readCall: CallReader): (readonly [string, Reader])[] {
  const reader: Reader = function* read(source, reading) {
    let isAny = false;
    while (true) {
      yield* source.blank();
      if (!(yield* source.has())) {
        if (!isAny) reading.problem(reasons.cut);
        return true;
      }
      if (yield* source.skip(tokens.end)) return isAny;
      yield* source.skip(tokens.callBegin);
      if (!(yield* readCall(source, reading, tokens))) return isAny;
      isAny = true;
      yield* source.blank();
      yield* source.skip(tokens.callEnd);
    }
  };
  return [
    [tokens.begin, reader],
    [tokens.callBegin, reader],
  ];
}

/** `name<sep>{…}`, or `function<sep>name` with the JSON in a fence. */
function* readDeepseekCall(source: Source, reading: Reading, tokens: Tokens): Generator<void, boolean> {
  const first = yield* takeName(source);
  if (first === '' || !(yield* source.skip(tokens.separator))) return false;
  if (yield* source.isNext(/\{/)) {
    yield* takeArguments(source, reading, first);
    return true;
  }
  const name = yield* takeName(source);
  yield* source.blank();
  const fence = yield* source.skip('```json', '```');
  yield* source.blank();
  if (yield* source.isNext(/\{/)) yield* takeArguments(source, reading, name);
  else reading.problem((yield* source.has()) ? reasons.json : reasons.cut, reading.tools.find(name));
  yield* source.blank();
  if (fence) yield* source.skip('```');
  return true;
}

/** `functions.name:0<argument_begin>{…}` */
function* readKimiCall(source: Source, reading: Reading, tokens: Tokens): Generator<void, boolean> {
  const id = yield* takeName(source);
  yield* source.blank();
  if (!(yield* source.skip(tokens.separator))) return false;
  yield* source.blank();
  const name = id.replace(/:\d+$/, '');
  if (!(yield* source.isNext(/\{/)))
    reading.problem((yield* source.has()) ? reasons.json : reasons.cut, reading.tools.find(name));
  else if (/^\d*$/.test(name)) {
    readJson(yield* takeJson(source));
    reading.problem(reasons.name);
  } else yield* takeArguments(source, reading, name);
  return true;
}
