import { cleanName, cleanText } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import type { ImagePart, Message } from '#protocol/message.ts';
import { clipSpans, paintSpans, type Span, span } from '../../theme/span.ts';
import type { CellOf } from '../cell.ts';
import { type CellContext, type CellRows, columnsOf, proseWidth, textRows } from '../cell-context.ts';
import { fold, moreHint, mostRows } from '../fold.ts';

const foldedRows = 12;

/** The person's words carry the accent bar, so that they are found again at a glance. */
export function userRows({ message }: CellOf<'user'>, context: CellContext): CellRows {
  const { left } = columnsOf(context.width);
  const width = proseWidth(context.width);
  const style = { token: 'user' } as const;
  const text = expandTabs(cleanText(textOf(message)).trim());
  // Of a long text only what shows is wrapped, a paste may have thousands of lines; the rest is counted in lines.
  const lines = text.split('\n');
  const wrapped = (context.expanded ? mostRows : foldedRows) + 2;
  const rows = [
    ...(text === '' ? [] : textRows(lines.slice(0, wrapped).join('\n'), { style, width, how: 'wrap' })),
    ...message.parts.filter((part) => part.kind === 'image').map((image) => [imageSpan(image)]),
  ];
  const folded = fold(rows, { limit: foldedRows, keep: 'head', expanded: context.expanded });
  const shown: (readonly Span[])[] = [...folded.rows];
  const hidden = folded.hidden + Math.max(0, lines.length - wrapped);
  if (hidden > 0) shown.push(moreHint(hidden, { expanded: context.expanded, keep: 'head' }));
  const bar = `${' '.repeat(left)}▌`;
  return {
    rows: shown.map((row) =>
      paintSpans(context.theme, [
        span(row.length === 0 ? bar : `${bar} `, 'accent'),
        ...clipSpans(row, width),
      ]),
    ),
    canExpand: hidden > 0 || (context.expanded && rows.length > foldedRows + 1),
  };
}

function textOf(message: Message): string {
  const texts = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.join('\n');
}

export function imageSpan(image: Pick<ImagePart, 'name' | 'mediaType'>): Span {
  const name = image.name ? cleanName(image.name) : image.mediaType;
  return span(`▣ image ${name}`, 'dim');
}
