import { scrubSecretFile, scrubSecretLines } from '#lib/secrets.ts';
import { type LineRange, type TextWindow, windowOf } from './text-window.ts';

/** So far around the lines that are shown a secret may begin or end. */
const aroundChars = 16_000;

/** The wanted lines of a text with marks in place of secrets, also of one that only lies there in part. */
export function windowWithoutSecrets(
  text: string,
  { range, isSecret }: { range: LineRange; isSecret: boolean },
): { window: TextWindow; hasSecrets: boolean } {
  const plain = windowOf(text, range);
  if (plain.lines.length === 0) return { window: plain, hasSecrets: false };
  const start = lineStart(text, range.offset);
  const end = lineEndAfter(text, start, plain.lines.length);
  const from = text.lastIndexOf('\n', Math.max(0, start - aroundChars)) + 1;
  const near = text.slice(from, end + aroundChars);
  const hidden = hideLines(near, isSecret);
  if (hidden === near) return { window: plain, hasSecrets: false };
  const before = lineEndsIn(text, from, start);
  const window = windowOf(hidden, { ...range, offset: before + 1, limit: plain.lines.length });
  const isChanged = window.lines.join('\n') !== plain.lines.join('\n');
  return { window: { lines: window.lines, total: plain.total }, hasSecrets: isChanged };
}

/** Lines stay lines. */
export function hideLines(text: string, isSecret: boolean): string {
  return isSecret ? scrubSecretFile(text) : scrubSecretLines(text);
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number += 1) at = text.indexOf('\n', at) + 1;
  return at;
}

function lineEndAfter(text: string, start: number, lines: number): number {
  let at = start;
  for (let number = 0; number < lines; number += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

function lineEndsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) number += 1;
  return number;
}
