import { cleanText } from '#lib/terminal-text.ts';
import { textWidth } from '#lib/text-width.ts';
import { clipLine, wrapRuns } from '#lib/wrap.ts';
import { plainStyle, type Span, type SpanStyle, span } from '../theme/span.ts';
import { codeRows, plainCodeRows } from './code-block.ts';
import { inlineLines } from './inline.ts';
import { known, type MarkedToken, type Tokens } from './lex.ts';
import { type MarkdownContext, narrower } from './markdown-context.ts';
import { tableRows } from './table.ts';

export type SpanRow = readonly Span[];

/** What stands before a block decides whether a blank row does. */
export type BlockEdge = { type: MarkedToken['type']; hasBlank: boolean } | undefined;

/** Rows of the blocks inside another one, one below the other. */
function blockRows(tokens: readonly MarkedToken[], context: MarkdownContext): SpanRow[] {
  const rows: SpanRow[] = [];
  let edge: BlockEdge;
  for (const token of tokens) {
    const block = renderBlock(token, { edge, context });
    rows.push(...block.rows);
    edge = block.edge;
  }
  return rows;
}

/** One block with the blank row that parts it from the one before. */
export function renderBlock(
  token: MarkedToken,
  { edge, context }: { edge: BlockEdge; context: MarkdownContext },
): { rows: SpanRow[]; edge: BlockEdge } {
  if (token.type === 'space' || token.type === 'def')
    return { rows: [], edge: edge ? { ...edge, hasBlank: true } : edge };
  const rows = bareBlock(token, context);
  if (rows.length === 0) return { rows, edge };
  return {
    rows: edge && needsBlank(edge, token) ? [[], ...rows] : rows,
    edge: { type: token.type, hasBlank: /\n[ \t]*\n$/.test(token.raw) },
  };
}

/** A list may follow its sentence closely, and a text its heading; all else gets air. */
function needsBlank(edge: NonNullable<BlockEdge>, next: MarkedToken): boolean {
  if (edge.hasBlank) return true;
  if (edge.type === 'heading') return next.type === 'heading' || next.type === 'code';
  if (edge.type === 'paragraph' || edge.type === 'text') return next.type !== 'list' && next.type !== 'text';
  return true;
}

const quoteBar = span('│ ', 'quote');

function bareBlock(token: MarkedToken, context: MarkdownContext): SpanRow[] {
  switch (token.type) {
    case 'paragraph':
      return textRows(token.tokens, plainStyle, context);
    case 'text':
      return textRows(token.tokens ?? [token], plainStyle, context);
    case 'heading':
      return headingRows(token, context);
    case 'code':
      return codeRows(token, context);
    case 'list':
      return listRows(token, context);
    case 'table':
      return tableRows(token, context);
    case 'hr':
      return [[span('─'.repeat(Math.min(context.width, 24)), 'border')]];
    case 'blockquote':
      return blockRows(known(token.tokens), narrower(context, 2)).map((row) => [quoteBar, ...row]);
    case 'html':
      return plainCodeRows(cleanText(token.raw).replace(/\n+$/, ''), context);
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    default:
      return textRows([token], plainStyle, context);
  }
}

function textRows(
  tokens: Parameters<typeof known>[0],
  style: SpanStyle,
  context: MarkdownContext,
): SpanRow[] {
  return inlineLines(known(tokens), { style, context }).flatMap((line) =>
    wrapRuns(clipLine(line), context.width),
  );
}

function headingRows(token: Tokens.Heading, context: MarkdownContext): SpanRow[] {
  if (token.depth === 1)
    return textRows(token.tokens, { token: 'heading', attributes: ['bold', 'underline'] }, context);
  if (token.depth === 2) return textRows(token.tokens, { token: 'heading', attributes: ['bold'] }, context);
  return textRows(token.tokens, { token: 'strong', attributes: ['bold'] }, context);
}

const bullets = ['•', '◦', '▪'];

function listRows(list: Tokens.List, context: MarkdownContext, depth = 0): SpanRow[] {
  const first = typeof list.start === 'number' ? list.start : 1;
  const last = `${first + list.items.length - 1}`;
  const rows: SpanRow[] = [];
  for (const [index, item] of list.items.entries()) {
    const marker = list.ordered
      ? `${first + index}.`.padStart(last.length + 1)
      : (bullets[depth % bullets.length] ?? '•');
    if (list.loose && index > 0) rows.push([]);
    rows.push(...itemRows(item, { markers: itemMarkers(marker, item), context, depth }));
  }
  return rows;
}

function itemMarkers(marker: string, item: Tokens.ListItem): Span[] {
  if (!item.task) return [span(`${marker} `, 'accent')];
  const box = item.checked ? span('☑ ', 'success') : span('☐ ', 'dim');
  return /^\s*\d/.test(marker) ? [span(`${marker} `, 'accent'), box] : [box];
}

function itemRows(
  item: Tokens.ListItem,
  { markers, context, depth }: { markers: readonly Span[]; context: MarkdownContext; depth: number },
): SpanRow[] {
  const indent = markers.reduce((sum, marker) => sum + textWidth(marker.text), 0);
  const inner = narrower(context, indent);
  const rows: SpanRow[] = [];
  let edge: BlockEdge;
  for (const token of known(item.tokens)) {
    if (token.type === 'list') {
      if (edge?.hasBlank && item.loose) rows.push([]);
      rows.push(...listRows(token, inner, depth + 1));
      edge = { type: 'list', hasBlank: false };
      continue;
    }
    const block = renderBlock(token, { edge, context: inner });
    rows.push(...block.rows);
    edge = block.edge;
  }
  if (rows.length === 0) rows.push([]);
  const blank = span(' '.repeat(indent));
  return rows.map((row, index) => {
    if (index === 0) return [...markers, ...row];
    return row.length === 0 ? row : [blank, ...row];
  });
}
