import { cleanText, isCleanText } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd } from '#lib/text-width.ts';
import type { Run } from '#lib/wrap.ts';
import { attributeSequence, type StyleAttribute } from './style-spec.ts';
import type { Theme } from './theme.ts';
import type { ThemeToken } from './tokens.ts';

/** How a piece of a row looks: a token of the theme, and attributes on top. */
export type SpanStyle = { readonly token?: ThemeToken; readonly attributes?: readonly StyleAttribute[] };

/** A styled piece of one row. */
export type Span = Run<SpanStyle>;

export const plainStyle: SpanStyle = {};

export function span(text: string, token?: ThemeToken, ...attributes: StyleAttribute[]): Span {
  const style = { ...(token ? { token } : {}), ...(attributes.length > 0 ? { attributes } : {}) };
  return { text, style: token || attributes.length > 0 ? style : plainStyle };
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The spans as far as they fit into `width` cells; what is cut ends in `…`. */
export function clipSpans(spans: readonly Span[], width: number): readonly Span[] {
  if (spansWidth(spans) <= width) return spans;
  const clipped: Span[] = [];
  let room = width;
  for (const piece of spans) {
    if (room <= 0) break;
    const isLast = textWidth(piece.text) >= room;
    const text = isLast ? truncateEnd(`${piece.text}…`, room) : piece.text;
    clipped.push({ ...piece, text });
    room -= textWidth(text);
  }
  return clipped;
}

/**
 * The last step of every row: spans to ANSI. Whatever reached it, only the theme's own sequences leave it.
 */
export function paintSpans(theme: Theme, spans: readonly Span[]): string {
  let row = '';
  for (const { text, style } of spans) {
    if (text === '') continue;
    let painted = oneLine(text);
    for (const attribute of style.attributes ?? []) {
      const { open, close } = attributeSequence(attribute);
      painted = `${open}${painted}${close}`;
    }
    const { open, close } = theme.styles[style.token ?? 'text'];
    row += `${open}${painted}${close}`;
  }
  return row;
}

function oneLine(text: string): string {
  const clean = isCleanText(text) ? text : cleanText(text);
  return /[\t\n]/.test(clean) ? clean.replaceAll(/[\t\n]/g, ' ') : clean;
}
