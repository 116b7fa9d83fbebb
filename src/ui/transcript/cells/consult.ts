import { formatUsd } from '#lib/amounts.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd } from '#lib/text-width.ts';
import { wrapRuns } from '#lib/wrap.ts';
import type { ConsultPart } from '#protocol/message.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { markdownRows } from '../../markdown/markdown.ts';
import { formatElapsed, formatTokens } from '../../status/format.ts';
import { clipSpans, paintSpans, type Span, span, spansWidth } from '../../theme/span.ts';
import type { CellOf } from '../cell.ts';
import { type CellContext, type CellRows, columnsOf, markdownContext, proseWidth } from '../cell-context.ts';
import { fold, moreHint } from '../fold.ts';

const foldedRows = 40;

/**
 * The words of a peer, named, priced and behind a bar of their own: they are not the model's. Open to the right, so
 * that copied text holds no border.
 */
export function consultRows({ part }: CellOf<'consult'>, context: CellContext): CellRows {
  const { left } = columnsOf(context.width);
  const width = proseWidth(context.width);
  const { rows, plainCode } = markdownRows(part.text.trim(), markdownContext(context, width));
  const folded = fold(rows, { limit: foldedRows, keep: 'head', expanded: context.expanded });
  const head = headSpans(part, width + 2);
  const asked = wrapRuns(
    [span(`asked: ${truncateEnd(cleanName(part.question), width * 2 - 8)}`, 'dim')],
    width,
  );
  const body: (readonly Span[])[] = [...asked, ...(folded.rows.length === 0 ? [] : [[], ...folded.rows])];
  if (folded.hidden > 0) body.push(moreHint(folded.hidden, { expanded: context.expanded, keep: 'head' }));
  if (part.error) body.push(...wrapRuns([span(cleanName(part.error.message), 'error')], width));
  const margin = ' '.repeat(left);
  const line = (mark: string, spans: readonly Span[]) =>
    paintSpans(context.theme, [span(margin + mark, 'accent'), ...clipSpans(spans, width + 1)]);
  const shift = asked.length + 2;
  return {
    rows: [
      line('╭', head.spans),
      ...body.map((spans) => line('│', spans.length === 0 ? [] : [span(' '), ...spans])),
      line('╰', [span(` ${footText(part, head.isWhole)}`, 'dim')]),
    ],
    canExpand: folded.hidden > 0 || (context.expanded && rows.length > foldedRows + 1),
    plainCode: plainCode.map((code) => ({ ...code, from: code.from + shift, to: code.to + shift })),
  };
}

/** Who it is on the left, what it took on the right where there is room for both. */
function headSpans(part: ConsultPart, width: number): { spans: Span[]; isWhole: boolean } {
  const { peer, model, thread, round, status } = part;
  const answeredBy = model && formatModelRef(model) !== peer ? ` · ${cleanName(formatModelRef(model))}` : '';
  const end = { answered: '', failed: ' · failed', stopped: ' · stopped', unknown: ' · no answer here' }[
    status
  ];
  const who = [
    span(' consult  ', 'accent'),
    span(cleanName(peer), 'strong'),
    span(`${answeredBy} · ${cleanName(thread)} · round ${round}`, 'dim'),
    span(`${end} `, status === 'failed' ? 'error' : 'warning'),
  ];
  const facts = factsOf(part);
  const rule = width - 3 - spansWidth(who) - textWidth(facts);
  if (facts === '' || rule < 2) return { spans: who, isWhole: facts === '' };
  return { spans: [...who, span('─'.repeat(rule), 'border'), span(` ${facts}`, 'dim')], isWhole: true };
}

function factsOf({ usage, costUsd, durationMs, status }: ConsultPart): string {
  const took =
    usage === null
      ? []
      : [
          formatTokens((usage.input ?? 0) + (usage.output ?? 0)),
          costUsd === null ? 'price unknown' : costUsd === 0 ? 'free' : formatUsd(costUsd),
        ];
  const time = status === 'unknown' || durationMs === 0 ? [] : [formatElapsed(durationMs)];
  return [...took, ...time].join(' · ');
}

/** How to go on, and what the head had no room for. */
function footText(part: ConsultPart, hasFacts: boolean): string {
  const reply = `/consult reply ${cleanName(part.thread)} …`;
  return hasFacts ? reply : `${reply} · ${factsOf(part)}`;
}
