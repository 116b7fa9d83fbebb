import { asObject } from '../../wire/json.ts';
import { type Reading, reasons } from '../reading.ts';
import { type Source, stopAt } from '../source.ts';
import { readJson, takeJson } from './json.ts';

const header = stopAt('<|message|>', '<|end|>', '<|return|>', '<|call|>');
const bodyEnd = stopAt('<|end|>', '<|return|>', '<|call|>', '<|start|>', '<|channel|>');
const marks = ['<|start|>', '<|channel|>', '<|end|>', '<|return|>', '<|call|>'];

/** After Harmony's `<|start|>` or `<|channel|>`: from there on the whole text is in this format. */
export function* readHarmony(source: Source, reading: Reading): Generator<void, boolean> {
  const isOne = yield* source.match(['assistant', 'analysis', 'commentary', 'final']);
  if (!isOne) return false;
  while (true) {
    const head = yield* source.until(header);
    if (head === undefined || !(yield* source.skip('<|message|>'))) {
      if (head === undefined && /to=/.test(head ?? '')) reading.problem(reasons.cut);
    } else yield* readBody(source, reading, head);
    // What lies between two messages is of no meaning.
    yield* source.until(stopAt(...marks));
    let mark: string | undefined;
    do mark = (yield* source.skip(...marks)) ?? mark;
    while (yield* source.match(marks));
    if (!(yield* source.has())) return true;
  }
}

function* readBody(source: Source, reading: Reading, head: string): Generator<void, void> {
  const recipient = /to=([^\s<]+)/.exec(head)?.[1];
  // A model that goes on may make up the answer of the tool.
  const isOther = head.trim() !== '' && !/^\s*(assistant|analysis|commentary|final|<\|channel\|>)/.test(head);
  if (isOther || recipient === 'assistant') {
    yield* source.stream(bodyEnd, () => undefined);
    return;
  }
  if (recipient !== undefined) {
    yield* readCall(source, reading, recipient);
    return;
  }
  const kind = /analysis/.test(head) ? 'reasoning' : 'text';
  yield* source.stream(bodyEnd, (text) => reading.show(kind, text));
}

function* readCall(source: Source, reading: Reading, recipient: string): Generator<void, void> {
  // `json` of the header's constraint may run into the name.
  const tool = reading.tools.find(recipient) ?? reading.tools.find(recipient.replace(/json$/, ''));
  yield* source.blank();
  const input = asObject(readJson(yield* takeJson(source)));
  if (!tool) reading.unknown(recipient.replace(/^functions\./, ''));
  else if (input) reading.call(tool, input);
  else reading.problem((yield* source.has()) ? reasons.json : reasons.cut, tool);
}
