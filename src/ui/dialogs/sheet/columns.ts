import { padToWidth, textWidth, truncateEnd } from '#lib/text-width.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';

/** One cell of a row of columns, `width` cells wide. */
export function cell(text: string, width: number, token?: ThemeToken): Span {
  return span(padToWidth(truncateEnd(text, width), width), token);
}

/** The same at the right edge of its column, as numbers stand. */
export function cellRight(text: string, width: number, token?: ThemeToken): Span {
  const shown = truncateEnd(text, width);
  return span(' '.repeat(Math.max(0, width - textWidth(shown))) + shown, token);
}

/** As wide as the widest text, within limits. */
export function columnWidth(texts: readonly string[], { min, max }: { min: number; max: number }): number {
  return Math.max(
    min,
    Math.min(
      max,
      texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0),
    ),
  );
}
