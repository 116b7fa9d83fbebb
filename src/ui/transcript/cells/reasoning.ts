import { cleanText } from '#lib/terminal-text.ts';
import { expandTabs, truncateEnd } from '#lib/text-width.ts';
import { formatElapsed } from '../../status/format.ts';
import { paintSpans, type Span, span } from '../../theme/span.ts';
import type { CellOf } from '../cell.ts';
import { type CellContext, type CellRows, columnsOf, proseWidth, textRows } from '../cell-context.ts';
import type { Row } from '../row.ts';

/** Thinking is one dim line that opens. */
export function reasoningRows(cell: CellOf<'reasoning'>, context: CellContext): CellRows<Row> {
  const { part, liveSince } = cell;
  const text = cleanText(part.text).trim();
  const { text: left } = columnsOf(context.width);
  const room = Math.max(1, context.width - left - 2);
  const canExpand = text !== '';
  const body = context.expanded ? bodyRows(text, context) : [];
  if (liveSince === null) {
    const label =
      part.durationMs === undefined
        ? 'thought'
        : `thought for ${formatElapsed(Math.max(1_000, part.durationMs))}`;
    const head = `${label}${canExpand ? (context.expanded ? ' ▾' : ' ▸') : ''}`;
    return {
      rows: [
        paintSpans(context.theme, [span(' '.repeat(left)), span(truncateEnd(head, room), 'reasoning')]),
        ...body,
      ],
      canExpand,
    };
  }
  const topic = lastTopic(text);
  const head: Row = {
    intervalMs: 1_000,
    draw: ({ now }) => {
      const label = `thinking ${formatElapsed(now - liveSince)}${topic === '' ? '' : ` · ${topic}`}`;
      return paintSpans(context.theme, [span(' '.repeat(left)), span(truncateEnd(label, room), 'reasoning')]);
    },
  };
  return { rows: [head, ...body], canExpand };
}

function bodyRows(text: string, context: CellContext): string[] {
  const indent = columnsOf(context.width).text + 2;
  const plain = expandTabs(text.replaceAll('**', ''));
  const rows = textRows(plain, {
    style: { token: 'reasoning' },
    width: Math.max(1, proseWidth(context.width) - 2),
    how: 'wrap',
  });
  const blank: Span = span(' '.repeat(indent));
  return rows.map((row) => (row.length === 0 ? '' : paintSpans(context.theme, [blank, ...row])));
}

/** Some models head each step of their thinking with a bold line. */
function lastTopic(text: string): string {
  const last = [...text.matchAll(/(?:^|\n)\*\*([^*\n]{1,80})\*\*/g)].at(-1);
  return last?.[1]?.trim() ?? '';
}
