import { lineEnd, lineStart, nextGrapheme } from '../text-units.ts';
import { atColumn, charactersOn, isInIndent, lineFrom } from './lines.ts';
import type { Reach } from './motions.ts';
import type { ObjectSpan } from './text-objects.ts';
import type { Extent, Operator, VimScene } from './vim-state.ts';

/** What an operator works on. Of whole lines: from the start of the first to the end of the last. */
export type Span = { readonly from: number; readonly to: number; readonly isLinewise: boolean };

export function linesSpan(text: string, from: number, to: number): Span {
  return { from: lineStart(text, from), to: lineEnd(text, to), isLinewise: true };
}

/** What lies between the cursor and where a motion led. */
export function spanOfReach(
  text: string,
  cursor: number,
  { reach, operator }: { reach: Reach; operator: Operator },
): Span {
  const from = Math.min(cursor, reach.to);
  const far = Math.max(cursor, reach.to);
  if (reach.isLinewise) return linesSpan(text, from, far);
  const to = reach.isInclusive ? Math.min(nextGrapheme(text, far), lineEnd(text, far)) : far;
  return adjusted(text, { from, to }, { operator, isInclusive: reach.isInclusive === true });
}

export function spanOfObject(text: string, object: ObjectSpan, operator: Operator): Span {
  if (object.isLinewise) return { ...object, isLinewise: true };
  return adjusted(text, object, { operator, isInclusive: false });
}

/** Vim's two rules for motions over the end of a line: they do not take an untouched last line, and may mean whole lines. */
function adjusted(
  text: string,
  { from, to }: { from: number; to: number },
  { operator, isInclusive }: { operator: Operator; isInclusive: boolean },
): Span {
  let end = to;
  const isOverLines = () => lineStart(text, from) !== lineStart(text, end);
  if (!isInclusive && isOverLines() && lineStart(text, end) === end) {
    end -= 1;
    if (isInIndent(text, from)) return linesSpan(text, from, end);
  }
  const isRestBlank = /^[ \t]*$/.test(text.slice(end, lineEnd(text, end)));
  if (operator === 'd' && isOverLines() && isRestBlank && isInIndent(text, from))
    return linesSpan(text, from, end);
  return { from, to: end, isLinewise: false };
}

/** What is selected. A line feed belongs to it when the cursor was moved onto it. */
export function selectedSpan({ editor: { text, cursor }, vim }: VimScene): Span {
  const from = Math.min(vim.anchor, cursor);
  const far = Math.max(vim.anchor, cursor);
  if (vim.mode === 'visual-line') return linesSpan(text, from, far);
  return { from, to: nextGrapheme(text, far), isLinewise: false };
}

export function extentOf(text: string, { from, to, isLinewise }: Span): Extent {
  const lines = text.slice(from, to).split('\n').length;
  const start = lines > 1 ? lineStart(text, to) : from;
  return { isLinewise, lines, characters: characterCount(text.slice(start, to)) };
}

/** As much text as an earlier selection had, from the cursor on. */
export function spanOfExtent(text: string, cursor: number, { isLinewise, lines, characters }: Extent): Span {
  const last = lineFrom(text, cursor, lines - 1) ?? lineStart(text, cursor);
  if (isLinewise) return linesSpan(text, cursor, last);
  const to = charactersOn(text, lines > 1 ? atColumn(text, last, 0) : cursor, characters);
  return { from: cursor, to, isLinewise: false };
}

function characterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = nextGrapheme(text, at)) count += 1;
  return count;
}
