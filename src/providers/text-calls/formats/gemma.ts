import type { JsonValue } from '#protocol/json.ts';
import { type JsonObject, parseJson } from '../../wire/json.ts';
import { type Reading, reasons } from '../reading.ts';
import { type Source, stopAt } from '../source.ts';

const callEnd = stopAt('<tool_call|>');
const channelEnd = stopAt('<channel|>');
const maxDepth = 50;

/** After Gemma's `<|tool_call>`: `call:name{key:<|"|>text<|"|>,other:5}<tool_call|>`. */
export function* readGemmaCall(source: Source, reading: Reading): Generator<void, boolean> {
  if (!(yield* source.skip('call:'))) return false;
  const text = yield* source.until(callEnd);
  yield* source.skip('<tool_call|>');
  const brace = text?.indexOf('{') ?? -1;
  if (text === undefined) reading.problem(reasons.cut);
  else if (brace === -1) reading.problem(reasons.json, reading.tools.find(text));
  else note(text.slice(0, brace), text.slice(brace), reading);
  return true;
}

function note(name: string, body: string, reading: Reading): void {
  const tool = reading.tools.find(name);
  const input = new BodyParser(body).whole();
  if (!tool) reading.unknown(name);
  else if (input) reading.call(tool, input);
  else reading.problem(reasons.json, tool);
}

/** After Gemma's `<|channel>`: its thoughts. */
export function* readGemmaChannel(source: Source, reading: Reading): Generator<void, boolean> {
  if (!(yield* source.skip('thought'))) return false;
  yield* source.blank();
  yield* source.stream(channelEnd, (text) => reading.show('reasoning', text));
  yield* source.skip('<channel|>');
  return true;
}

const quote = '<|"|>';

/** The object form of Gemma: bare keys, and strings between special tokens. */
class BodyParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** undefined when it is broken or something follows. */
  whole(): JsonObject | undefined {
    const object = this.#object(0);
    return object && this.#text.slice(this.#at).trim() === '' ? object : undefined;
  }

  #object(depth: number): JsonObject | undefined {
    const entries: [string, JsonValue][] = [];
    if (depth > maxDepth || !this.#skip('{')) return undefined;
    while (!this.#skip('}')) {
      const key = this.#string() ?? this.#plain(/[^:{}[\],]*/y);
      if (key === undefined || !this.#skip(':')) return undefined;
      const value = this.#value(depth);
      if (value === undefined) return undefined;
      entries.push([key.trim(), value]);
      if (!this.#skip(',') && !this.#is('}')) return undefined;
    }
    return Object.fromEntries(entries);
  }

  #value(depth: number): JsonValue | undefined {
    if (this.#is('{')) return this.#object(depth + 1);
    if (this.#is('[')) return this.#list(depth + 1);
    const text = this.#string();
    if (text !== undefined) return text;
    const plain = this.#plain(/[^,{}[\]]*/y)?.trim() ?? '';
    return plain === '' ? undefined : (parseJson(plain) ?? plain);
  }

  #list(depth: number): JsonValue[] | undefined {
    const values: JsonValue[] = [];
    if (depth > maxDepth || !this.#skip('[')) return undefined;
    while (!this.#skip(']')) {
      const value = this.#value(depth);
      if (value === undefined) return undefined;
      values.push(value);
      if (!this.#skip(',') && !this.#is(']')) return undefined;
    }
    return values;
  }

  #string(): string | undefined {
    if (!this.#skip(quote)) return undefined;
    const end = this.#text.indexOf(quote, this.#at);
    if (end === -1) return undefined;
    const text = this.#text.slice(this.#at, end);
    this.#at = end + quote.length;
    return text;
  }

  #plain(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }

  #is(mark: string): boolean {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.startsWith(mark, this.#at);
  }

  #skip(mark: string): boolean {
    if (!this.#is(mark)) return false;
    this.#at += mark.length;
    return true;
  }
}
