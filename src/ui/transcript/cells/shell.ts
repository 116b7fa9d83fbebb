import { cleanCommand } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd } from '#lib/text-width.ts';
import type { Message } from '#protocol/message.ts';
import type { TerminalView } from '#protocol/tool-view.ts';
import { formatElapsed } from '../../status/format.ts';
import { clipSpans, paintSpans, type Span, span } from '../../theme/span.ts';
import type { CellOf } from '../cell.ts';
import { type CellContext, type CellRows, columnsOf } from '../cell-context.ts';
import { fold, moreHint } from '../fold.ts';
import type { Row } from '../row.ts';
import { plainRows } from '../views/tool-view.ts';

const foldedRows = 10;

/** A command of the person: their bar, `!`, and the end of what it printed. */
export function shellRows({ source, since }: CellOf<'shell'>, context: CellContext): CellRows<Row> {
  const columns = columnsOf(context.width);
  const width = Math.max(1, columns.right - columns.body);
  const output = plainRows(source.output, { width, token: 'dim' });
  const folded = fold(output, { limit: foldedRows, keep: 'tail', expanded: context.expanded });
  const rows: (readonly Span[])[] = [...folded.rows];
  if (folded.hidden > 0) rows.unshift(moreHint(folded.hidden, { expanded: context.expanded, keep: 'tail' }));
  const indent = span(' '.repeat(columns.body));
  const draw = (outcome: Span): string => {
    const room = Math.max(1, columns.right - columns.text - 2 - textWidth(outcome.text) - 2);
    const command = truncateEnd(cleanCommand(source.command).replaceAll(/\s*\n\s*/g, ' ⏎ '), room);
    return paintSpans(context.theme, [
      span(`${' '.repeat(columns.left)}▌ `, 'accent'),
      span('! ', 'accent'),
      span(`${command}  `, 'user'),
      outcome,
    ]);
  };
  const head: Row =
    since === null
      ? draw(span(source.failure, 'error'))
      : { intervalMs: 1_000, draw: ({ now }) => draw(span(formatElapsed(now - since), 'dim')) };
  return {
    rows: [
      head,
      ...rows.map((row) =>
        row.length === 0 ? '' : paintSpans(context.theme, [indent, ...clipSpans(row, width)]),
      ),
    ],
    canExpand: folded.hidden > 0 || (context.expanded && output.length > foldedRows + 1),
  };
}

/** What a command was, what it printed, and how it failed; empty when it did not. */
export type ShellRun = { readonly command: string; readonly output: string; readonly failure: string };

const shape =
  /^<shell-command>([\s\S]*?)<\/shell-command>\n<shell-output (exit|status)="([^"]*)">\n([\s\S]*?)\n?<\/shell-output>$/;

/** Reads the message in which the model is told of a command. undefined: it says something else. */
export function shellRunOf(message: Message): ShellRun | undefined {
  const [part] = message.parts;
  if (message.origin !== 'shell' || part?.kind !== 'text') return undefined;
  const match = shape.exec(part.text);
  if (!match) return undefined;
  const [, command = '', kind, how = '', output = ''] = match;
  const hasFailed = how !== '0' && how !== 'ok';
  return { command, output, failure: hasFailed ? (kind === 'exit' ? `exit ${how}` : how) : '' };
}

export function shellRunOfView(view: TerminalView): ShellRun {
  return { command: view.command, output: view.output, failure: '' };
}
