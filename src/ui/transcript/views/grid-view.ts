import { cleanName } from '#lib/terminal-text.ts';
import { padToWidth, textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { columnWidths } from '../../markdown/column-widths.ts';
import { type Span, span } from '../../theme/span.ts';

/** Files, one a row, with what is known of each. */
export function filesRows(view: Extract<ToolView, { kind: 'files' }>, width: number): Span[][] {
  const rows = view.files.map(({ path, detail }) => {
    const note = detail === undefined ? '' : truncateEnd(cleanName(detail), Math.floor(width / 2));
    const room = width - (note === '' ? 0 : textWidth(note) + 2);
    const name = truncateStart(cleanName(path), Math.max(1, room));
    return note === '' ? [span(name)] : [span(`${name}  `), span(note, 'dim')];
  });
  const rest = view.total - view.files.length;
  if (rest > 0) rows.push([span(`… and ${rest} more`, 'dim')]);
  return rows;
}

/** A table of short values; what does not fit is cut. */
export function tableViewRows(view: Extract<ToolView, { kind: 'table' }>, width: number): Span[][] {
  const head = view.columns.map(cellText);
  const body = view.rows.map((row) => head.map((_, index) => cellText(row[index] ?? '')));
  const gap = 2;
  const widths = columnWidths(
    head.map((name, index) => {
      const cells = [name, ...body.map((row) => row[index] ?? '')];
      const natural = Math.max(...cells.map(textWidth));
      return { natural, least: natural };
    }),
    width - gap * Math.max(0, head.length - 1),
  );
  if (!widths) return body.map((row) => [span(truncateEnd(row.join(' · '), width))]);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padToWidth(truncateEnd(cell, widths[index] ?? 1), widths[index] ?? 1))
      .join(' '.repeat(gap))
      .trimEnd();
  return [[span(line(head), 'dim')], ...body.map((row) => [span(line(row))])];
}

function cellText(text: string): string {
  return cleanName(text.replaceAll(/\s+/g, ' ').trim());
}
