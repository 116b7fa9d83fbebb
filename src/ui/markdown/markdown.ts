import { cleanText } from '#lib/terminal-text.ts';
import { blockRows, type SpanRow } from './blocks.ts';
import { lexMarkdown } from './lex.ts';
import type { MarkdownContext } from './markdown-context.ts';

/** A whole markdown text as rows, none wider than the context allows. HTML is shown, never followed. */
export function markdownRows(text: string, context: MarkdownContext): SpanRow[] {
  return blockRows(lexMarkdown(cleanText(text)), context);
}
