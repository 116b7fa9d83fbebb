import { cleanText } from '#lib/terminal-text.ts';
import { graphemes, textWidth } from '#lib/text-width.ts';
import type { TextField } from '../text-field.ts';

/** The part of a field that is in view, cut at the cursor. */
export type FieldWindow = { readonly before: string; readonly after: string };

/** Shows as much as fits into `width` cells around the cursor, which takes a cell of its own at the end. */
export function fieldWindow(field: TextField, width: number): FieldWindow {
  const left = graphemes(cleanText(field.text.slice(0, field.cursor)));
  const right = graphemes(cleanText(field.text.slice(field.cursor)));
  const room = Math.max(1, width - 1);
  // A third of the room shows what comes next, where something does.
  const ahead = Math.min(textWidth(right.join('')), Math.floor(room / 3));
  const before = takeFromEnd(left, room - ahead);
  return { before, after: takeFromStart(right, width - textWidth(before)) };
}

function takeFromEnd(pieces: readonly string[], room: number): string {
  let used = 0;
  let start = pieces.length;
  while (start > 0) {
    used += textWidth(pieces[start - 1] ?? '');
    if (used > room) break;
    start -= 1;
  }
  return pieces.slice(start).join('');
}

function takeFromStart(pieces: readonly string[], room: number): string {
  let used = 0;
  let end = 0;
  while (end < pieces.length) {
    used += textWidth(pieces[end] ?? '');
    if (used > room) break;
    end += 1;
  }
  return pieces.slice(0, end).join('');
}
