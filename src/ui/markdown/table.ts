import { textWidth } from '#lib/text-width.ts';
import { wrapRuns } from '#lib/wrap.ts';
import { plainStyle, type Span, type SpanStyle, span, spansWidth } from '../theme/span.ts';
import { columnWidths } from './column-widths.ts';
import { inlineLines } from './inline.ts';
import { known, type Tokens } from './lex.ts';
import type { MarkdownContext } from './markdown-context.ts';

type Cell = { lines: Span[][]; align: Tokens.TableCell['align'] };

const separator = span(' │ ', 'border');
const separatorWidth = 3;
const headerStyle: SpanStyle = { token: 'strong', attributes: ['bold'] };

/** A table that fits: cells wrap; where even that leaves no room, each row becomes a list of its cells. */
export function tableRows(table: Tokens.Table, context: MarkdownContext): (readonly Span[])[] {
  const header = table.header.map((cell) => cellOf(cell, headerStyle, context));
  const body = table.rows.map((row) => row.map((cell) => cellOf(cell, plainStyle, context)));
  const widths = columnWidths(
    header.map((cell, index) => {
      const column = [cell, ...body.flatMap((row) => row[index] ?? [])];
      return { natural: Math.max(...column.map(naturalWidth)), least: Math.max(...column.map(longestWord)) };
    }),
    context.width - separatorWidth * (header.length - 1),
  );
  if (!widths) return stackedRows(header, body, context);
  const rule = widths.flatMap((width, index) => [
    ...(index > 0 ? [span('─┼─', 'border')] : []),
    span('─'.repeat(width), 'border'),
  ]);
  return [...rowOf(header, widths), rule, ...body.flatMap((row) => rowOf(row, widths))];
}

function cellOf(cell: Tokens.TableCell, style: SpanStyle, context: MarkdownContext): Cell {
  return { lines: inlineLines(known(cell.tokens), { style, context }), align: cell.align };
}

function naturalWidth(cell: Cell): number {
  return Math.max(0, ...cell.lines.map(spansWidth));
}

function longestWord(cell: Cell): number {
  const words = cell.lines.flatMap((line) =>
    line
      .map((piece) => piece.text)
      .join('')
      .split(' '),
  );
  return Math.max(0, ...words.map(textWidth));
}

function rowOf(cells: readonly Cell[], widths: readonly number[]): Span[][] {
  const columns = widths.map((width, index) => {
    const cell = cells[index];
    const rows = (cell?.lines ?? [[]]).flatMap((line) => wrapRuns(line, width));
    return rows.map((row) => aligned(row, width, cell?.align ?? null));
  });
  const height = Math.max(1, ...columns.map((rows) => rows.length));
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((rows, index) => [
      ...(index > 0 ? [separator] : []),
      ...(rows[at] ?? [span(' '.repeat(widths[index] ?? 0))]),
    ]),
  );
}

function aligned(row: readonly Span[], width: number, align: Tokens.TableCell['align']): Span[] {
  const free = Math.max(0, width - spansWidth(row));
  const left = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return [span(' '.repeat(left)), ...row, span(' '.repeat(free - left))];
}

function stackedRows(header: readonly Cell[], body: readonly Cell[][], context: MarkdownContext): Span[][] {
  return body.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, column) => {
      const name = header[column]?.lines[0] ?? [];
      const [first = [], ...rest] = cell.lines;
      return [[...name, span(': '), ...first], ...rest].flatMap((line) => wrapRuns(line, context.width));
    }),
  ]);
}
