import { cleanText } from '#lib/terminal-text.ts';
import { textWidth } from '#lib/text-width.ts';
import { wrapRuns } from '#lib/wrap.ts';
import { markdownRows } from '../../markdown/markdown.ts';
import { formatTokens } from '../../status/format.ts';
import { clipSpans, paintSpans, type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import type { CellOf } from '../cell.ts';
import {
  type CellContext,
  type CellRows,
  columnsOf,
  markdownContext,
  paintBlock,
  proseWidth,
} from '../cell-context.ts';

type Level = CellOf<'notice'>['level'];

const levelMarks: Readonly<Record<Level, readonly [mark: string, token: ThemeToken]>> = {
  info: ['·', 'dim'],
  warning: ['!', 'warning'],
  error: ['✗', 'error'],
};

/** Something that llmcode itself says. */
export function noticeRows({ level, text }: CellOf<'notice'>, context: CellContext): CellRows {
  const [mark, token] = levelMarks[level];
  // What goes wrong is told with names and words of others in it; what went well may be written like an answer.
  const { rows, plainCode } = markdownRows(text.trim(), markdownContext(context, proseWidth(context.width)), {
    literal: level !== 'info',
  });
  return { rows: marked(rows, { mark, token, context }), canExpand: false, plainCode };
}

const cutTexts: Readonly<Record<CellOf<'cut'>['reason'], string>> = {
  length: 'cut off: the model reached its output limit',
  'content-filter': "stopped by the provider's content filter",
  aborted: 'interrupted',
  lost: 'the stream broke here',
  error: 'the stream failed here',
};

/** Why a message ends where it does. */
export function cutRows({ reason }: CellOf<'cut'>, context: CellContext): CellRows {
  const token = reason === 'aborted' ? 'dim' : 'warning';
  const rows = wrapRuns([span(cutTexts[reason], token)], proseWidth(context.width));
  return { rows: marked(rows, { mark: '■', token, context }), canExpand: false };
}

const endTexts: Readonly<Record<string, string>> = {
  aborted: 'interrupted',
  error: 'the model call failed',
  halted: 'stopped by a hook',
  'step-limit': 'stopped at the step limit',
  budget: 'stopped at the budget',
};

/** Why a turn ended, when it did not just finish. The first sentence is what happened, the rest what to do. */
export function turnEndRows({ reason, text }: CellOf<'turn-end'>, context: CellContext): CellRows {
  const isError = reason === 'error';
  const token: ThemeToken = isError ? 'error' : reason === 'aborted' ? 'dim' : 'warning';
  const mark = isError ? '✗' : '■';
  const words = cleanText(text).trim() || (endTexts[reason] ?? reason);
  const [head = '', ...advice] = words.split('\n');
  const width = proseWidth(context.width);
  const rows = [
    ...wrapRuns([span(head.replaceAll('\t', ' '), token)], width),
    ...markdownRows(advice.join('\n').trim(), markdownContext(context, width), { literal: true }).rows,
  ];
  return { rows: marked(rows, { mark, token, context }), canExpand: false };
}

/** A line across: what stands above it reaches the model only as a summary. */
export function compactionRows(cell: CellOf<'compaction'>, context: CellContext): CellRows {
  const { left, text } = columnsOf(context.width);
  const width = proseWidth(context.width) + 2;
  const tokens =
    cell.tokensBefore === null || cell.tokensAfter === null
      ? ''
      : ` · ${formatTokens(cell.tokensBefore)} → ${formatTokens(cell.tokensAfter)}`;
  const dropped = cell.dropped ? ` · ${cell.dropped}` : '';
  const label = ` summarised from here up${tokens}${dropped} ${context.expanded ? '▾' : '▸'} `;
  const rule = Math.max(0, width - 2 - textWidth(label));
  const line = [span('──', 'border'), span(label, 'dim'), span('─'.repeat(rule), 'border')];
  const head = paintSpans(context.theme, [span(' '.repeat(left)), ...clipSpans(line, width)]);
  if (!context.expanded) return { rows: [head], canExpand: true };
  const body = markdownRows(cell.summary, markdownContext(context, proseWidth(context.width))).rows;
  const indent = span(' '.repeat(text));
  return {
    rows: [head, ...paintBlock(context.theme, body, { first: [indent], indent: text })],
    canExpand: true,
  };
}

function marked(
  rows: readonly (readonly Span[])[],
  { mark, token, context }: { mark: string; token: ThemeToken; context: CellContext },
): string[] {
  const { left, text } = columnsOf(context.width);
  return paintBlock(context.theme, rows, {
    first: [span(' '.repeat(left)), span(`${mark} `, token)],
    indent: text,
  });
}
