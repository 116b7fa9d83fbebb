import type { JsonValue } from '#protocol/json.ts';
import { parseJson } from '../wire/json.ts';
import type { Scrubber } from './scrubber.ts';

export type TextChunk = { at: number; text: string };
type Edit = { start: number; end: number; text: string };

/**
 * Scrubs a body that came in pieces. A secret that a model writes comes in many small events, so the texts that
 * stand at the same place of successive events are looked at as one. What is clean stays as it was, byte for byte.
 */
export function scrubChunks(chunks: readonly TextChunk[], scrubber: Scrubber): TextChunk[] {
  const whole = chunks.map(({ text }) => text).join('');
  const edits = editsOf(whole, scrubber);
  return edits.length === 0 ? [...chunks] : recut(chunks, edits);
}

function editsOf(whole: string, scrubber: Scrubber): Edit[] {
  if (parseJson(whole) !== undefined) return editOf({ start: 0, text: whole }, scrubber);
  const payloads: Payload[] = [];
  const edits: Edit[] = [];
  for (const { 0: line, index } of whole.matchAll(/[^\r\n]+/g)) {
    const prefix = /^data: ?/.exec(line)?.[0].length ?? 0;
    const value = parseJson(line.slice(prefix));
    if (typeof value === 'object' && value !== null)
      payloads.push({ start: index + prefix, end: index + line.length, value });
    else edits.push(...editOf({ start: index, text: line }, scrubber));
  }
  return [...edits, ...payloadEdits(payloads, scrubber)].sort((one, two) => one.start - two.start);
}

function editOf({ start, text }: { start: number; text: string }, scrubber: Scrubber): Edit[] {
  const value = parseJson(text);
  const isObject = typeof value === 'object' && value !== null;
  const before = isObject ? JSON.stringify(value) : text;
  const after = isObject ? JSON.stringify(scrubber.value(value)) : scrubber.text(text);
  return after === before ? [] : [{ start, end: start + text.length, text: after }];
}

type Payload = { start: number; end: number; value: JsonValue };
type Leaf = { payload: Payload; text: string; replace(text: string): void };

function payloadEdits(payloads: readonly Payload[], scrubber: Scrubber): Edit[] {
  const changed = new Map<Payload, JsonValue>();
  const places = new Map<string, Leaf[]>();
  for (const payload of payloads) {
    const clean = scrubber.value(payload.value);
    if (JSON.stringify(clean) !== JSON.stringify(payload.value)) changed.set(payload, clean);
    payload.value = clean;
    for (const [path, leaf] of leavesOf(payload)) {
      const there = places.get(path);
      if (there) there.push(leaf);
      else places.set(path, [leaf]);
    }
  }
  for (const leaves of places.values())
    for (const payload of scrubTogether(leaves, scrubber)) changed.set(payload, payload.value);
  return [...changed].map(([{ start, end }, value]) => ({ start, end, text: JSON.stringify(value) }));
}

/** The texts in an event that was parsed for us alone, so they may be replaced in place. */
function leavesOf(payload: Payload): [path: string, Leaf][] {
  const leaves: [string, Leaf][] = [];
  const walk = (value: JsonValue, path: string, replace: (text: string) => void): void => {
    if (typeof value === 'string') leaves.push([path, { payload, text: value, replace }]);
    else if (Array.isArray(value))
      for (const [index, each] of value.entries())
        walk(each, `${path}[${index}]`, (text) => {
          value[index] = text;
        });
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value))
        walk(each, `${path}.${key}`, (text) => {
          value[key] = text;
        });
  };
  walk(payload.value, '', () => undefined);
  return leaves;
}

/** Replaces secrets that reach over several leaves; the mark stands where the secret began. */
function scrubTogether(leaves: readonly Leaf[], scrubber: Scrubber): Payload[] {
  if (leaves.length < 2) return [];
  const spans = scrubber.spans(leaves.map(({ text }) => text).join(''));
  if (spans.length === 0) return [];
  const changed: Payload[] = [];
  let from = 0;
  for (const { payload, text, replace } of leaves) {
    const to = from + text.length;
    const clean = cutOut(text, from, spans);
    if (clean !== text) {
      replace(clean);
      changed.push(payload);
    }
    from = to;
  }
  return changed;
}

function cutOut(
  text: string,
  from: number,
  spans: readonly { start: number; end: number; mark: string }[],
): string {
  let clean = '';
  let at = from;
  const to = from + text.length;
  for (const { start, end, mark } of spans) {
    if (end <= at || start >= to) continue;
    clean += text.slice(at - from, Math.max(start - from, at - from));
    if (start >= from) clean += mark;
    at = Math.min(end, to);
  }
  return clean + text.slice(at - from);
}

/** What takes the place of an edit comes with the piece that the edit begins in. */
function recut(chunks: readonly TextChunk[], edits: readonly Edit[]): TextChunk[] {
  let from = 0;
  return chunks.map(({ at, text }) => {
    const to = from + text.length;
    let clean = '';
    let next = from;
    for (const edit of edits) {
      if (edit.end <= next || edit.start >= to) continue;
      clean += text.slice(next - from, Math.max(edit.start, next) - from);
      if (edit.start >= from) clean += edit.text;
      next = Math.min(edit.end, to);
    }
    clean += text.slice(next - from);
    from = to;
    return { at, text: clean };
  });
}
