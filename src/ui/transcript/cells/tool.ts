import type { ToolResultRecord } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { formatElapsed } from '../../status/format.ts';
import { clipSpans, paintSpans, type Span, span } from '../../theme/span.ts';
import type { ToolCell } from '../cell.ts';
import { type CellContext, type CellRows, columnsOf } from '../cell-context.ts';
import { fold, moreHint } from '../fold.ts';
import type { Row } from '../row.ts';
import { plainRows, type ViewBody, viewBody } from '../views/tool-view.ts';
import { titleText, toolLineSpans } from './tool-line.ts';
import { callTitle, outcomeOf } from './tool-outcome.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinnerMs = 120;

/** A tool is one line, quiet until it matters; below it a few rows of what it did, more when opened. */
export function toolRows(cell: ToolCell, context: CellContext): CellRows<Row> {
  const { part, phase, run } = cell;
  const body = bodyOf(cell, context);
  const folded = body
    ? fold(body.rows, { limit: body.limit, keep: body.keep, expanded: context.expanded })
    : undefined;
  const hasMore = body?.hasMore === true || (folded !== undefined && folded.hidden > 0);
  const canExpand = body !== undefined && body.rows.length > 0 && (hasMore || context.expanded);
  const outcome = outcomeOf(part, phase);
  const line = {
    name: titleText(part.tool) || 'tool',
    title: callTitle(part),
    outcome: outcome.spans,
    mark: canExpand && outcome.mark === '▸' && context.expanded ? '▾' : outcome.mark,
    markToken: outcome.token,
    right: part.result ? formatDuration(part.result.durationMs) : '',
  };
  const head: Row =
    phase === 'running' && run
      ? {
          intervalMs: spinnerMs,
          draw: ({ frame, now }) => {
            const mark = spinner[frame % spinner.length] ?? '⠋';
            const right = formatElapsed(now - run.startedAt);
            return paintSpans(context.theme, toolLineSpans({ ...line, mark, right }, context.width));
          },
        }
      : paintSpans(context.theme, toolLineSpans(line, context.width));
  return { rows: [head, ...bodyRows(folded, { body, context })], canExpand };
}

/** `0.1s`, `2.4s`, `12s`, `1m 05s`; nothing below a tenth of a second. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 100) return '';
  return durationMs < 9_950 ? `${(durationMs / 1_000).toFixed(1)}s` : formatElapsed(durationMs);
}

function bodyOf({ part, phase, run }: ToolCell, context: CellContext): ViewBody | undefined {
  const columns = columnsOf(context.width);
  const width = Math.max(1, columns.right - columns.body);
  const { result } = part;
  if (!result)
    return phase === 'running' && run?.progress ? viewBody(run.progress, { width, context }) : undefined;
  if (result.view) return shownView(result, result.view, viewBody(result.view, { width, context }));
  const text = resultText(result);
  if (text === '') return undefined;
  const how = result.status === 'ok' ? 'break' : 'wrap';
  return { rows: plainRows(text, { width, token: 'dim', how }), limit: isSaid(result) ? 0 : 6, keep: 'head' };
}

/** True when the line above has said all that a person wants to know. */
function isSaid({ status, summary }: ToolResultRecord): boolean {
  return status === 'ok' || (status !== 'error' && summary !== undefined);
}

/** A failure is shown where a success of the same kind would be folded away. */
function shownView(result: ToolResultRecord, view: ToolView, body: ViewBody): ViewBody {
  const isTrouble = result.status === 'error' && view.kind === 'text';
  if (isTrouble) return { ...body, limit: 6 };
  return result.summary === undefined && view.kind === 'text' ? { ...body, limit: 3 } : body;
}

function bodyRows(
  folded: ReturnType<typeof fold> | undefined,
  { body, context }: { body: ViewBody | undefined; context: CellContext },
): string[] {
  if (!folded || !body) return [];
  const rows: (readonly Span[])[] = [...folded.rows];
  if (folded.hidden > 0 && body.limit > 0) {
    const hint = moreHint(folded.hidden, { expanded: context.expanded, keep: body.keep });
    if (body.keep === 'head') rows.push(hint);
    else rows.unshift(hint);
  }
  const { body: left, right } = columnsOf(context.width);
  const indent = span(' '.repeat(left));
  return rows.map((row) =>
    row.length === 0 ? '' : paintSpans(context.theme, [indent, ...clipSpans(row, Math.max(1, right - left))]),
  );
}

export function resultText(result: ToolResultRecord): string {
  return result.forModel.flatMap((content) => (content.kind === 'text' ? [content.text] : [])).join('\n');
}
