import type { ToolCallPart } from '#protocol/message.ts';
import { paintSpans } from '../../theme/span.ts';
import type { Cell, CellOf } from '../cell.ts';
import type { CellContext, CellRows } from '../cell-context.ts';
import type { Row } from '../row.ts';
import { formatDuration, toolRows } from './tool.ts';
import { titleText, toolLineSpans } from './tool-line.ts';

/** Many quiet calls in a row are one line that opens. */
export function toolGroupRows({ id, calls }: CellOf<'tool-group'>, context: CellContext): CellRows<Row> {
  const head = paintSpans(
    context.theme,
    toolLineSpans(
      {
        mark: context.expanded ? '▾' : '▸',
        markToken: 'dim',
        name: `${calls.length} calls`,
        title: countsByName(calls),
        outcome: [],
        right: formatDuration(calls.reduce((sum, call) => sum + (call.result?.durationMs ?? 0), 0)),
      },
      context.width,
    ),
  );
  if (!context.expanded) return { rows: [head], canExpand: true };
  const single: CellContext = { ...context, expanded: false };
  const rows = calls.flatMap((part) => {
    const cell: Cell = { id: `${id}/${part.id}`, kind: 'tool', part, phase: null, run: undefined };
    return toolRows(cell, single).rows;
  });
  return { rows: [head, ...rows], canExpand: true };
}

function countsByName(calls: readonly ToolCallPart[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call.tool, (counts.get(call.tool) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${titleText(name)}${count > 1 ? ` ×${count}` : ''}`).join(' · ');
}

/** Calls that only looked at something and went well need no line of their own. */
export function isQuiet(part: ToolCallPart): boolean {
  const { result } = part;
  if (result?.status !== 'ok') return false;
  const kind = result.view?.kind;
  return kind === undefined || kind === 'text' || kind === 'files' || kind === 'table' || kind === 'image';
}
