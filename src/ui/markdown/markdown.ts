import { cleanText } from '#lib/terminal-text.ts';
import { type BlockEdge, renderBlock, type SpanRow } from './blocks.ts';
import { lexMarkdown } from './lex.ts';
import type { MarkdownContext, PlainCode } from './markdown-context.ts';
import { type Missed, noteMissed } from './missed-code.ts';

/**
 * A whole markdown text as rows, none wider than the context allows. HTML is shown, never followed. `literal`: of
 * the marks inside a line only backticks count.
 */
export function markdownRows(
  text: string,
  context: MarkdownContext,
  { literal = false } = {},
): { rows: SpanRow[]; plainCode: readonly PlainCode[] } {
  const rows: SpanRow[] = [];
  const plainCode: PlainCode[] = [];
  let missed: Missed[] = [];
  const noting = noteMissed(context, (code) => missed.push(code));
  let edge: BlockEdge;
  for (const token of lexMarkdown(cleanText(text), { literal })) {
    const from = rows.length;
    const block = renderBlock(token, { edge, context: noting });
    rows.push(...block.rows);
    edge = block.edge;
    plainCode.push(...missed.map((code) => ({ ...code, from, to: rows.length })));
    missed = [];
  }
  return { rows, plainCode };
}
