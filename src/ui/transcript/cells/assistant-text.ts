import { createLiveMarkdown, type LiveMarkdown } from '../../markdown/live-markdown.ts';
import { markdownRows } from '../../markdown/markdown.ts';
import { paintSpans, type Span, span } from '../../theme/span.ts';
import type { CellOf } from '../cell.ts';
import {
  type CellContext,
  type CellRows,
  columnsOf,
  markdownContext,
  paintBlock,
  proseWidth,
} from '../cell-context.ts';

/** What the model said, complete. */
export function assistantRows({ part }: CellOf<'text'>, context: CellContext): CellRows {
  const { first, indent } = edge(context.width);
  const markdown = markdownContext(context, proseWidth(context.width));
  const { rows, plainCode } = markdownRows(part.text.trimStart(), markdown);
  return { rows: paintBlock(context.theme, rows, { first, indent }), canExpand: false, plainCode };
}

/** The same for a text that still grows; the rows agree with `assistantRows` once it is complete. */
export function liveAssistantText(context: CellContext): LiveMarkdown {
  const { first, indent } = edge(context.width);
  const blank = span(' '.repeat(indent));
  return createLiveMarkdown({
    context: markdownContext(context, proseWidth(context.width)),
    finishRow: (row, index) => {
      if (index === 0) return paintSpans(context.theme, [...first, ...row]);
      return row.length === 0 ? '' : paintSpans(context.theme, [blank, ...row]);
    },
  });
}

function edge(width: number): { first: readonly Span[]; indent: number } {
  const { left, text } = columnsOf(width);
  return { first: [span(`${' '.repeat(left)}● `, 'assistant')], indent: text };
}
