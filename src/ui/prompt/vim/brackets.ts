import { lineEnd } from '../text-units.ts';

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The partner of the first bracket at or behind the cursor in its line. */
export function matchingBracket(text: string, cursor: number): number | undefined {
  const end = lineEnd(text, cursor);
  for (let at = cursor; at < end; at += 1) {
    const character = text.charAt(at);
    const close = pairs[character];
    if (close !== undefined) return closing(text, at, { open: character, close });
    const open = openers[character];
    if (open !== undefined) return opening(text, at, { open, close: character });
  }
  return undefined;
}

/**
 * The nearest pair around the cursor, or the `times`-th further out; a bracket under the cursor belongs to its pair.
 * Outside of all pairs it is the next one.
 */
export function enclosing(
  text: string,
  cursor: number,
  { open, close, times }: { open: string; close: string; times: number },
): { start: number; end: number } | undefined {
  const around = text.charAt(cursor) === open ? cursor : opening(text, cursor, { open, close });
  const behind = times === 1 ? text.indexOf(open, cursor) : -1;
  let start = around ?? (behind < 0 ? undefined : behind);
  for (let left = times; left > 1 && start !== undefined; left -= 1)
    start = opening(text, start, { open, close });
  if (start === undefined) return undefined;
  const end = closing(text, start, { open, close });
  return end === undefined ? undefined : { start, end };
}

function closing(
  text: string,
  from: number,
  { open, close }: { open: string; close: string },
): number | undefined {
  let depth = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === open) depth += 1;
    else if (character === close) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

function opening(
  text: string,
  from: number,
  { open, close }: { open: string; close: string },
): number | undefined {
  let depth = 0;
  for (let at = from - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    if (character === close) depth += 1;
    else if (character === open) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}
