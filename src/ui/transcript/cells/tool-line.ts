import { cleanName, cleanText } from '#lib/terminal-text.ts';
import { padToWidth, textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import { clipSpans, type Span, span, spansWidth } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { columnsOf } from '../cell-context.ts';

type ToolLine = {
  mark: string;
  markToken: ThemeToken;
  name: string;
  title: string;
  outcome: readonly Span[];
  /** Stands at the right edge, e.g. how long it took. */
  right: string;
};

/** Of a wide window the column holds the longest names that are common. */
const wideCells = 100;
const nameColumns = { narrow: 13, wide: 16 };
const longestName = 28;
const gap = 2;
const rightColumn = 6;

/** A tool in one line: mark, name, target, outcome, time; columns of neighbours line up. */
export function toolLineSpans(line: ToolLine, width: number): Span[] {
  const columns = columnsOf(width);
  const isNarrow = width < 60;
  const nameColumn = width < wideCells ? nameColumns.narrow : nameColumns.wide;
  const total = Math.max(1, columns.right - columns.text);
  const name = truncateEnd(line.name, Math.min(longestName, Math.max(1, total - 4)));
  const nameWidth = Math.max(isNarrow ? 0 : nameColumn, textWidth(name) + gap);
  const right = total - 2 - nameWidth < 16 ? '' : line.right;
  const rightWidth = right === '' ? 0 : Math.max(rightColumn, textWidth(right)) + gap;
  const room = Math.max(0, total - 2 - nameWidth - rightWidth);
  const column = Math.floor((total - 2 - nameColumn - rightColumn - gap) * 0.42) - (nameWidth - nameColumn);
  const { title, outcome } = fitMiddle(line, { room, column });
  const left = [
    span(' '.repeat(columns.text)),
    span(`${line.mark} `, line.markToken),
    span(padToWidth(name, nameWidth), 'tool'),
    span(title, 'toolTitle'),
    ...outcome,
  ];
  if (right === '') return [...clipSpans(left, columns.text + total)];
  const used = spansWidth(left) - columns.text;
  return [...left, span(' '.repeat(Math.max(1, total - used - textWidth(right)))), span(right, 'dim')];
}

const longestTitle = 600;

/** A name or a command in one line; whatever does not show is made visible. */
export function titleText(text: string): string {
  return cleanName(text.slice(0, longestTitle).replaceAll(/\s+/g, ' ').trim());
}

/** What a tool says of itself, in one line. */
export function wordsText(text: string): string {
  return cleanText(text.slice(0, longestTitle)).replaceAll(/\s+/g, ' ').trim();
}

/** `column` is where outcomes begin, so that those of neighbours stand below each other; a long title pushes. */
function fitMiddle(
  { title, outcome }: ToolLine,
  { room, column }: { room: number; column: number },
): { title: string; outcome: Span[] } {
  const outcomeWidth = spansWidth(outcome);
  const titleWidth = textWidth(title);
  if (outcomeWidth === 0) return { title: shorten(title, room), outcome: [] };
  if (titleWidth + gap + outcomeWidth <= room) {
    const start = Math.max(titleWidth + gap, Math.min(column, room - outcomeWidth));
    return { title: padToWidth(title, start), outcome: [...outcome] };
  }
  const outcomeRoom = Math.min(
    outcomeWidth,
    Math.max(room - Math.max(column, 4) - gap, room - titleWidth - gap, 0),
  );
  const titleRoom = Math.max(0, room - outcomeRoom - gap);
  const shown = shorten(title, titleRoom);
  return { title: padToWidth(shown, titleRoom + gap), outcome: [...clipSpans(outcome, outcomeRoom)] };
}

/** Of a path the end says more than the start. */
function shorten(text: string, width: number): string {
  return /^\S+\/\S+$/.test(text) ? truncateStart(text, width) : truncateEnd(text, width);
}
