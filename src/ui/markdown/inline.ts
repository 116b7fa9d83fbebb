import { cleanText } from '#lib/terminal-text.ts';
import type { Span, SpanStyle } from '../theme/span.ts';
import type { StyleAttribute } from '../theme/style-spec.ts';
import type { ThemeToken } from '../theme/tokens.ts';
import { known, type MarkedToken, type Tokens } from './lex.ts';
import type { MarkdownContext } from './markdown-context.ts';

/** Lines of styled text; a line break in the text begins a new one. Nothing is fetched, nothing is clickable. */
export function inlineLines(
  tokens: readonly MarkedToken[],
  { style, context }: { style: SpanStyle; context: MarkdownContext },
): Span[][] {
  const lines: Span[][] = [[]];
  new InlineWriter(lines, context.showsMarks).write(tokens, style);
  return lines;
}

class InlineWriter {
  readonly #lines: Span[][];
  readonly #showsMarks: boolean;

  constructor(lines: Span[][], showsMarks: boolean) {
    this.#lines = lines;
    this.#showsMarks = showsMarks;
  }

  write(tokens: readonly MarkedToken[], style: SpanStyle): void {
    for (const token of tokens) this.#one(token, style);
  }

  #one(token: MarkedToken, style: SpanStyle): void {
    switch (token.type) {
      case 'br':
        this.#lines.push([]);
        return;
      case 'strong':
        this.write(known(token.tokens), withStyle(style, style.token ?? 'strong', 'bold'));
        return;
      case 'em':
        this.write(known(token.tokens), withStyle(style, undefined, 'italic'));
        return;
      case 'del':
        this.write(known(token.tokens), withStyle(style, undefined, 'strike'));
        return;
      case 'codespan':
        this.#text(this.#showsMarks ? `\`${token.text}\`` : token.text, { ...style, token: 'code' });
        return;
      case 'link':
        this.#link(token, style);
        return;
      case 'image':
        this.#linkText(token.text || 'image', token.href, style);
        return;
      case 'checkbox':
      case 'def':
        return;
      case 'text':
        if (token.tokens) this.write(known(token.tokens), style);
        else this.#text(withoutReferences(token.text), style);
        return;
      case 'escape':
        this.#text(token.text, style);
        return;
      default:
        // HTML is shown as it was written, and so is whatever has no place inside a line.
        this.#text(token.raw, style);
    }
  }

  #link(token: Tokens.Link, style: SpanStyle): void {
    const target = token.href.replace(/^mailto:/, '');
    if (token.text === token.href || token.text === target) {
      this.#text(token.text, { ...style, token: 'link' });
      return;
    }
    this.write(known(token.tokens), { ...style, token: 'link' });
    this.#text(` (${token.href})`, { ...style, token: 'dim' });
  }

  #linkText(text: string, href: string, style: SpanStyle): void {
    this.#text(text, { ...style, token: 'link' });
    this.#text(` (${href})`, { ...style, token: 'dim' });
  }

  /** References such as `&#27;` became characters while lexing, so this is where text is made clean again. */
  #text(text: string, style: SpanStyle): void {
    for (const [index, line] of cleanText(text).split('\n').entries()) {
      if (index > 0) this.#lines.push([]);
      if (line !== '') this.#lines.at(-1)?.push({ text: line.replaceAll('\t', ' '), style });
    }
  }
}

const references: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  hellip: '…',
  larr: '←',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: '\u00a0',
  ndash: '–',
  quot: '"',
  rarr: '→',
  times: '×',
};

/** The lexer reads numeric references only. */
function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([a-z]{2,6});/g, (whole, name: string) =>
    Object.hasOwn(references, name) ? (references[name] ?? whole) : whole,
  );
}

function withStyle(style: SpanStyle, token: ThemeToken | undefined, attribute: StyleAttribute): SpanStyle {
  const attributes = style.attributes ?? [];
  return {
    ...style,
    ...(token ? { token } : {}),
    attributes: attributes.includes(attribute) ? attributes : [...attributes, attribute],
  };
}
