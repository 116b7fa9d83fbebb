import { formatCount, formatUsd } from '#lib/amounts.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { wrapRuns } from '#lib/wrap.ts';
import type { ConsultReview, ConsultSeat } from '#protocol/consult-review.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { type Span, span } from '../../theme/span.ts';
import { plainRows } from '../../transcript/views/tool-view.ts';
import { row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import type { ConsultDialog } from './consult-dialog.ts';

/** With less than this, words are saved. */
const wideCells = 56;

export function consultSheet({ review, scroll }: ConsultDialog, { width }: ViewScene): Sheet {
  const { seats, secrets } = review;
  const [only] = seats;
  return {
    frame: 'box',
    title:
      only && seats.length === 1 ? `send to ${cleanName(only.peer)}?` : `send to ${seats.length} models?`,
    note: width >= wideCells && only && seats.length === 1 ? cleanName(only.thread) : '',
    head: [...factRows(review, width), row(span('─'.repeat(width), 'border'))],
    body: { ...staticBody(textRows(review, width), scroll), counter: 'loud' },
    foot: [],
    keys: secrets.length === 0 ? plainKeys : secretKeys,
  };
}

const plainKeys: readonly KeyHint[] = [
  { key: 'y', does: 'send' },
  { key: 'n', does: 'no' },
  { key: '↑↓', does: 'read all of it' },
];
const secretKeys: readonly KeyHint[] = [
  { key: 'b', does: 'send, secrets blanked out' },
  { key: 's', does: 'send as it is' },
  { key: 'n', does: 'no' },
];

function factRows(
  { seats, bytes, attachments, unattached = [], secrets }: ConsultReview,
  width: number,
): SheetRow[] {
  return [
    ...seats.flatMap((seat, index) =>
      fact(index === 0 ? 'to' : '', [span(seatText(seat, seats.length))], width),
    ),
    ...fact(
      'size',
      [span(`${formatCount(bytes)} bytes`), span(' · this only, nothing of the conversation', 'dim')],
      width,
    ),
    ...attachments.flatMap(({ kind, name, bytes: size, isOutside }, index) =>
      fact(
        index === 0 ? 'with' : '',
        [
          span(`${kind} ${cleanName(name)}`),
          span(` · ${formatCount(size)} bytes`, 'dim'),
          ...(isOutside ? [span(' · outside the workspace', 'warning')] : []),
        ],
        width,
      ),
    ),
    ...unattached.flatMap(({ name, why }) =>
      fact(
        '',
        [span(`not attached: ${cleanName(name)}`, 'warning'), span(` · ${cleanName(why)}`, 'dim')],
        width,
      ),
    ),
    ...(secrets.length === 0
      ? fact('secrets', [span('none found', 'dim')], width)
      : secrets
          .slice(0, mostSecrets)
          .flatMap(({ what, where, line }, index) =>
            fact(
              index === 0 ? 'secrets' : '',
              [span(`${what}: ${cleanName(where)}${line === 0 ? '' : `, line ${line}`}`, 'error')],
              width,
            ),
          )),
    ...(secrets.length > mostSecrets
      ? fact('', [span(`and ${secrets.length - mostSecrets} more`, 'error')], width)
      : []),
  ];
}

const mostSecrets = 4;
const labelCells = 9;

function fact(label: string, spans: readonly Span[], width: number): SheetRow[] {
  return wrapRuns(spans, Math.max(8, width - labelCells)).map((part, index) =>
    row(span((index === 0 ? label : '').padEnd(labelCells), 'dim'), ...part),
  );
}

function seatText({ peer, thread, round, isLocal, tokens, costUsd }: ConsultSeat, seats: number): string {
  const price = costUsd === null ? 'price unknown' : costUsd === 0 ? 'free' : `about ${formatUsd(costUsd)}`;
  return [
    cleanName(peer) + (isLocal ? ' (this machine)' : ''),
    ...(seats > 1 ? [cleanName(thread)] : []),
    `round ${round}`,
    `${formatCount(tokens)} tokens`,
    price,
  ].join(' · ');
}

const rowsOf = new WeakMap<ConsultReview, { width: number; rows: readonly SheetRow[] }>();

/** A key must not lay a long text out anew. */
function textRows(review: ConsultReview, width: number): readonly SheetRow[] {
  const known = rowsOf.get(review);
  if (known?.width === width) return known.rows;
  const rows = plainRows(review.text, { width, token: 'text', how: 'wrap' }).map((spans) => row(...spans));
  rowsOf.set(review, { width, rows });
  return rows;
}
