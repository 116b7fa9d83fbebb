import type { JsonValue } from '#protocol/json.ts';

/** Loose reading of what other programs wrote: a field that is not what it should be is as good as none. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Milliseconds since 1970 of an ISO time, or of a number of seconds or milliseconds; `before` when it is none. */
export function timeIn(value: unknown, before: number): number {
  if (typeof value === 'number') {
    const ms = Math.floor(value < 100_000_000_000 ? value * 1_000 : value);
    return ms > 0 && ms <= maxTime ? ms : before;
  }
  const parsed = Date.parse(textIn(value));
  return parsed > 0 && parsed <= maxTime ? parsed : before;
}

/** What the id of a thread has room for: 48 bits. */
const maxTime = 2 ** 48 - 1;
/** Blocks in blocks; nobody nests them. */
const maxDepth = 16;

/** Text of contents that are a text, a list of blocks with texts, or a block. Images are named. */
export function textsIn(content: unknown, depth = 0): string {
  if (typeof content === 'string') return content;
  if (depth > maxDepth) return '';
  if (Array.isArray(content))
    return content
      .map((each) => textsIn(each, depth + 1))
      .filter((text) => text !== '')
      .join('\n');
  const { type, text, content: inner, output } = fields(content);
  if (type === 'image' || type === 'input_image') return '[image]';
  return textIn(text) || (inner === undefined ? textIn(output) : textsIn(inner, depth + 1));
}

export function jsonIn(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? {})) as JsonValue;
}

/** A JSON text as its value; the text itself where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
