import { cleanText } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import { breakRuns, clipLine } from '#lib/wrap.ts';
import { type Span, span } from '../theme/span.ts';
import type { Tokens } from './lex.ts';
import type { MarkdownContext } from './markdown-context.ts';

/** Code stands two cells to the right and has no frame, so that it can be copied from the screen. */
const indent = 2;

export function codeRows(token: Tokens.Code, context: MarkdownContext): (readonly Span[])[] {
  const code = cleanText(token.text);
  const language = languageOf(token.lang);
  const lines = language ? context.highlight(code, language) : undefined;
  if (!lines) return plainCodeRows(code, context);
  return lines.flatMap((line) => lineRows(line, context));
}

/** Rows of code as long as nothing is known of its language. */
export function plainCodeRows(code: string, context: MarkdownContext): (readonly Span[])[] {
  return code.split('\n').flatMap((line) => lineRows(line === '' ? [] : [span(line, 'codeText')], context));
}

/** The first word behind the fence: `ts`, `{.python}` or `js:src/a.js` all name a language. */
function languageOf(lang: string | undefined): string | undefined {
  const word = /^[{.\s]*([A-Za-z][\w+#-]*)/.exec(lang ?? '')?.[1];
  return word?.toLowerCase();
}

const margin = span(' '.repeat(indent));

function lineRows(line: readonly Span[], context: MarkdownContext): (readonly Span[])[] {
  const room = Math.max(1, context.width - indent);
  return breakRuns(clipLine(withoutTabs(line)), room).map((row) =>
    row.length === 0 ? row : [margin, ...row],
  );
}

function withoutTabs(line: readonly Span[]): readonly Span[] {
  if (!line.some((piece) => piece.text.includes('\t'))) return line;
  let column = 0;
  return line.map((piece) => {
    const text = expandTabs(piece.text, { column });
    column += text.length;
    return { ...piece, text };
  });
}
