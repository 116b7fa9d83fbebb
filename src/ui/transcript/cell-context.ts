import { breakRuns, clipLine, wrapRuns } from '#lib/wrap.ts';
import type { Highlight, MarkdownContext, PlainCode } from '../markdown/markdown-context.ts';
import { paintSpans, type Span, span } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';

/** What a cell's rows depend on besides the cell. */
export type CellContext = {
  readonly width: number;
  readonly theme: Theme;
  readonly expanded: boolean;
  readonly highlight: Highlight;
};

/** Rows of a cell, and whether opening it would show more. */
export type CellRows<Row = string> = {
  readonly rows: readonly Row[];
  readonly canExpand: boolean;
  readonly plainCode?: readonly PlainCode[];
};

/** Longer rows are hard to read, however wide the window is. */
const widestProse = 100;
const widestRow = 132;

/** In a window this wide nothing is wrapped: its rows are the lines as they were written. */
export const endlessWidth = 20_000;

/** Columns of the transcript: marks stand at `left`, text at `text`, what belongs to a tool at `body`. */
export function columnsOf(width: number): { left: number; text: number; body: number; right: number } {
  const left = width >= 60 ? 2 : 0;
  const right = width >= endlessWidth ? width - left : Math.min(width - left, left + widestRow);
  return { left, text: left + 2, body: left + (width >= 60 ? 6 : 4), right };
}

export function proseWidth(width: number): number {
  const { text, right } = columnsOf(width);
  return Math.max(1, width >= endlessWidth ? right - text : Math.min(right - text, widestProse));
}

export function markdownContext(context: CellContext, width: number): MarkdownContext {
  return { width, showsMarks: context.theme.colorLevel === 'none', highlight: context.highlight };
}

/** Paints rows with `first` before the first one and blanks of the same width before the others. */
export function paintBlock(
  theme: Theme,
  rows: readonly (readonly Span[])[],
  { first, indent }: { first: readonly Span[]; indent: number },
): string[] {
  const blank = span(' '.repeat(indent));
  return rows.map((row, index) => {
    if (index === 0) return paintSpans(theme, [...first, ...row]);
    return row.length === 0 ? '' : paintSpans(theme, [blank, ...row]);
  });
}

/** Lines of plain text as rows in one style: wrapped as prose, or broken where they are too long. */
export function textRows(
  text: string,
  { style, width, how }: { style: Span['style']; width: number; how: 'wrap' | 'break' },
): Span[][] {
  const fold = how === 'wrap' ? wrapRuns<Span['style']> : breakRuns<Span['style']>;
  return text
    .split('\n')
    .flatMap((line) => fold(line === '' ? [] : clipLine([{ text: line, style }]), width));
}
