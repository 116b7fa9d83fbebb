import type { Reading } from '../reading.ts';
import type { Source } from '../source.ts';
import { takeName } from './markup.ts';
import { notePython } from './python-tag.ts';

/** After a `[`: `name(key=value), …]` with the end of the message behind it. */
export function* readPythonList(source: Source, reading: Reading): Generator<void, boolean> {
  const name = yield* takeName(source);
  if (name === '' || !reading.tools.find(name) || !(yield* source.isNext(/\(/))) return false;
  const body = yield* takeToBracket(source);
  if (body === undefined) return false;
  yield* source.takeWhile(/[\s\]]/);
  yield* source.skip('<|eom_id|>', '<|eot_id|>', '<|im_end|>', '</s>');
  yield* source.blank();
  return !(yield* source.has()) && notePython(`[${name}${body}`, reading);
}

/** Up to the bracket that closes the list; undefined when none does. */
function* takeToBracket(source: Source): Generator<void, string | undefined> {
  const parts: string[] = [];
  let depth = 1;
  let quote = '';
  let isEscaped = false;
  while (yield* source.has()) {
    let length = 0;
    for (; length < source.available && depth > 0; length += 1) {
      const char = source.char(length);
      if (isEscaped) isEscaped = false;
      else if (quote !== '') {
        if (char === '\\') isEscaped = true;
        else if (char === quote) quote = '';
      } else if (char === '"' || char === "'") quote = char;
      else if (char === '[') depth += 1;
      else if (char === ']') depth -= 1;
    }
    parts.push(source.take(length));
    if (depth === 0) return parts.join('');
  }
  return undefined;
}
