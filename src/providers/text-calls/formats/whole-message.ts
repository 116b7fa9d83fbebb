import { type Reading, reasons } from '../reading.ts';
import type { Source } from '../source.ts';
import { callObjects, describedCall, noteCallObject, readJson, takeJson } from './json.ts';
import { takeName } from './markup.ts';

/** Keys that an object which describes a call may begin with. */
const firstKeys = [
  'name',
  'tool',
  'tool_name',
  'function',
  'type',
  'id',
  'arguments',
  'parameters',
  'args',
  'input',
];
const fenceWords = ['json', 'tool_call', ''];
/** So far the beginning is looked at before it is decided. */
const maxAhead = 400;

/**
 * Calls without any mark: a message that is nothing but the JSON of calls, bare or in a fence. Anything else beside
 * it makes the JSON an example or an answer. Nothing has been taken yet.
 */
export function* readWholeMessage(source: Source, reading: Reading): Generator<void, boolean> {
  let isAny = false;
  while (yield* source.has()) {
    const isFenced = (yield* source.skip('```')) !== undefined;
    if (isFenced && !(yield* takeFenceWord(source))) return false;
    if (!(yield* readValue(source, reading))) return false;
    isAny = true;
    yield* source.blank();
    if (isFenced && !(yield* source.skip('```'))) return false;
    yield* source.takeWhile(/[\s;,}\]]/);
    yield* source.skip('<|eom_id|>', '<|eot_id|>', '<|im_end|>', '</s>');
    yield* source.blank();
    if (yield* source.isNext(/[^`{[]/)) return false;
  }
  return isAny;
}

function* takeFenceWord(source: Source): Generator<void, boolean> {
  const word = yield* takeName(source);
  yield* source.blank();
  return fenceWords.includes(word);
}

function* readValue(source: Source, reading: Reading): Generator<void, boolean> {
  const start = yield* lookAhead(source);
  const isMeant = start !== undefined && (start.name === '' || reading.tools.find(start.name) !== undefined);
  if (!isMeant) return false;
  const value = readJson(yield* takeJson(source));
  if (value === undefined) {
    if (start.name !== '') reading.problem(reasons.json, reading.tools.find(start.name));
    return start.name !== '';
  }
  return callObjects(value).every((object) => {
    const described = describedCall(object);
    const isCall = described?.args !== undefined && reading.tools.find(described.name) !== undefined;
    return isCall && noteCallObject(object, reading);
  });
}

/**
 * How the object begins, without taking any of it: text that is no call shall not wait. `name` is '' while another
 * key comes first; undefined means that it describes no call.
 */
function* lookAhead(source: Source): Generator<void, { name: string } | undefined> {
  let at = 0;
  const skipBlank = function* (): Generator<void, void> {
    while ((yield* source.has(at + 1)) && /\s/.test(source.char(at)) && at < maxAhead) at += 1;
  };
  const quoted = function* (): Generator<void, string | undefined> {
    if (!(yield* source.has(at + 1)) || source.char(at) !== '"') return undefined;
    let text = '';
    for (at += 1; (yield* source.has(at + 1)) && source.char(at) !== '"' && at < maxAhead; at += 1)
      text += source.char(at);
    at += 1;
    return text;
  };
  if ((yield* source.has()) && source.char() === '[') at += 1;
  yield* skipBlank();
  if (!(yield* source.has(at + 1)) || source.char(at) !== '{') return undefined;
  at += 1;
  yield* skipBlank();
  const key = yield* quoted();
  if (key === undefined || !firstKeys.includes(key)) return undefined;
  if (!key.includes('name') && key !== 'tool') return { name: '' };
  yield* skipBlank();
  if (source.char(at) !== ':') return undefined;
  at += 1;
  yield* skipBlank();
  const name = yield* quoted();
  return name ? { name } : undefined;
}
