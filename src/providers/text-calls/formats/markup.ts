import type { Source } from '../source.ts';
import { stopAt } from '../source.ts';

/** Characters of a tool's or a parameter's name in any of the formats. */
export const nameChar = /[^\s<>{}()[\]"'`,;=|｜]/u;
const maxName = 128;

export function takeName(source: Source): Generator<void, string> {
  return source.takeWhile(nameChar, maxName);
}

/**
 * Takes a value up to its closing tag. The tag counts only where one of `followers` comes next: elsewhere it is
 * part of what the value is about. undefined: the text ended first.
 */
export function* takeValue(
  source: Source,
  { close, followers }: { close: string; followers: readonly string[] },
): Generator<void, string | undefined> {
  const parts: string[] = [];
  const stop = stopAt(close);
  while (true) {
    const text = yield* source.until(stop);
    if (text === undefined) return undefined;
    parts.push(text);
    const tail = source.take(close.length) + (yield* source.blank());
    if (!(yield* source.has()) || (yield* source.match(followers))) return parts.join('');
    parts.push(tail);
  }
}

/** Without the line breaks that belong to the markup, one on each side. */
export function withoutFrame(value: string, { needsBoth = false } = {}): string {
  const isFramed = /^\r?\n/.test(value) && /\r?\n$/.test(value) && value.trim() !== '';
  if (needsBoth && !isFramed) return value;
  return value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}
