import { cleanName, cleanText } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import type { TerminalView, ToolView } from '#protocol/tool-view.ts';
import { markdownRows } from '../../markdown/markdown.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { type CellContext, markdownContext, textRows } from '../cell-context.ts';
import { hiddenText } from '../fold.ts';
import { diffRows, diffsRows } from './diff-view.ts';
import { filesRows, tableViewRows } from './grid-view.ts';

/** What stands below a tool's line: all of it, how many rows of it folded, and which end those are from. */
export type ViewBody = {
  readonly rows: readonly (readonly Span[])[];
  readonly limit: number;
  readonly keep: 'head' | 'tail';
  /** Opening the cell shows more than `rows`. */
  readonly hasMore?: boolean;
};

const mostOutputLines = 4_000;

/** `limit` 0 = nothing is shown until the person opens it. */
export function viewBody(
  view: ToolView,
  { width, context }: { width: number; context: CellContext },
): ViewBody {
  switch (view.kind) {
    case 'diff':
      return { rows: diffRows(view, width), limit: view.change === 'modify' ? 14 : 8, keep: 'head' };
    case 'diffs':
      return { rows: diffsRows(view.files, width), limit: 14, keep: 'head' };
    case 'terminal':
      return terminalBody(view, { width, context });
    case 'files':
      return { rows: filesRows(view, width), limit: 0, keep: 'head' };
    case 'table':
      return { rows: tableViewRows(view, width), limit: 8, keep: 'head' };
    case 'markdown':
      return {
        rows: markdownRows(view.text.trim(), markdownContext(context, width)).rows,
        limit: 8,
        keep: 'head',
      };
    case 'image':
      return { rows: [[span(imageText(view), 'dim')]], limit: 0, keep: 'head' };
    case 'text':
      return { rows: plainRows(view.text, { width, token: 'dim' }), limit: 0, keep: 'head' };
  }
}

type TextLook = { width: number; token: ThemeToken; how?: 'wrap' | 'break' };

/** Text in one style: its lines broken only where they are too long, or wrapped as prose. */
export function plainRows(text: string, { width, token, how = 'break' }: TextLook): Span[][] {
  const clean = expandTabs(cleanText(text).replace(/\n+$/, ''));
  return clean === '' ? [] : textRows(clean, { style: { token }, width, how });
}

function terminalBody(
  view: TerminalView,
  { width, context }: { width: number; context: CellContext },
): ViewBody {
  const limit = view.running ? 5 : failed(view) ? 8 : 3;
  // Folded, only the end is drawn: a chatty command must not cost more than a quiet one.
  const whole = lastLines(view.output, context.expanded ? mostOutputLines : limit + 1);
  const isCut = whole.left + view.omittedLines > 0;
  const { text, left } = isCut && !context.expanded ? lastLines(view.output, limit) : whole;
  const rows = plainRows(text, { width, token: 'dim' });
  const omitted = left + view.omittedLines;
  if (omitted === 0) return { rows, limit, keep: 'tail' };
  const where = view.outputPath ? `  all of it: ${cleanName(view.outputPath)}` : '';
  const hint = span(hiddenText(omitted, 'earlier'), 'dim');
  if (!context.expanded) {
    const shown = [[hint, span('  ctrl+o', 'dim')], ...rows.slice(-limit)];
    return { rows: shown, limit: shown.length, keep: 'tail', hasMore: true };
  }
  return { rows: [[hint, span(where, 'dim')], ...rows], limit, keep: 'tail' };
}

export function failed(view: TerminalView): boolean {
  return !view.running && (view.signal !== null || (view.exitCode !== null && view.exitCode !== 0));
}

function lastLines(output: string, count: number): { text: string; left: number } {
  const text = output.replace(/\n+$/, '');
  const lines = text.split('\n');
  if (lines.length <= count) return { text, left: 0 };
  return { text: lines.slice(-count).join('\n'), left: lines.length - count };
}

function imageText(view: Extract<ToolView, { kind: 'image' }>): string {
  const size = view.bytes < 10_240 ? `${view.bytes} bytes` : `${Math.round(view.bytes / 1024)} KB`;
  return `▣ image ${cleanName(view.path)} · ${cleanName(view.mediaType)} · ${size}`;
}
