import { textWidth, truncateEnd } from '#lib/text-width.ts';
import { topInView } from '../../frame/top-in-view.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { clipSpans, type Span, span, spansWidth } from '../../theme/span.ts';
import { blankRow, row, type Sheet, type SheetBody, type SheetRow } from './sheet.ts';

/** A sheet that fits its screen: rows for the inside of the frame, from the top. */
export type FittedSheet = {
  readonly rows: readonly SheetRow[];
  /** Rows of the body in view. */
  readonly pageRows: number;
  readonly maxScroll: number;
};

/** Rows of a body that are worth more than what stands around it. */
const wantedBodyRows = 4;

/** Rows that the frame takes. */
export function frameRows(frame: Sheet['frame']): number {
  return frame === 'box' ? 2 : 1;
}

/** Cells inside the frame of a sheet that is `width` wide. */
export function innerWidth(frame: Sheet['frame'], width: number): number {
  return Math.max(1, width - (frame === 'box' ? 4 : 3));
}

/**
 * Fits a sheet into `maxRows`. On a low screen blank rows go first, then the foot scrolls behind the body, then
 * the head before it; the keys stay as long as anything does.
 */
export function fitSheet(
  sheet: Sheet,
  { width, maxRows, isArmed }: { width: number; maxRows: number; isArmed: boolean },
): FittedSheet {
  const { head, body, foot } = sheet;
  const room = Math.max(1, maxRows - frameRows(sheet.frame));
  const isLow = room < lowRoom;
  // That arrows move in a list is the first thing that a person tries.
  const hints = isLow ? sheet.keys.filter(({ key }) => !key.startsWith('↑↓')) : sheet.keys;
  const keys = keyRows(hints, { width, isArmed }).slice(0, Math.max(0, room - 1));
  const around = [head, foot, keys];
  const aroundRows = around.reduce((sum, part) => sum + part.length, 0);
  const bodyRows = heightOf(body);
  if (aroundRows + Math.min(bodyRows, wantedBodyRows) <= room) {
    const gaps = around.filter((part) => part.length > 0).length;
    const isAiry = aroundRows + gaps + Math.min(bodyRows, wantedBodyRows + 2) <= room;
    const gapBeside = (part: readonly SheetRow[]) => (isAiry && part.length > 0 ? [blankRow] : []);
    const top = [...head, ...gapBeside(head)];
    const bottom = [...gapBeside(foot), ...foot, ...gapBeside(keys), ...keys];
    return stack(top, fitBody(body, room - top.length - bottom.length), bottom);
  }
  if (head.length <= 2 && head.length + keys.length + 2 <= room)
    return stack(head, fitBody(joined([], body, foot), room - head.length - keys.length), keys);
  return stack([], fitBody(joined(head, body, foot), room - keys.length), keys);
}

function heightOf({ count, reserve = 0 }: SheetBody): number {
  return Math.max(count, reserve);
}

/** In less room than this every row is dear. */
const lowRoom = 10;

function stack(top: readonly SheetRow[], body: FittedSheet, bottom: readonly SheetRow[]): FittedSheet {
  return { ...body, rows: [...top, ...body.rows, ...bottom] };
}

/** Head and foot as parts of what scrolls. A field that the person types in stays in view. */
function joined(head: readonly SheetRow[], body: SheetBody, foot: readonly SheetRow[]): SheetBody {
  const rowAt = (index: number) => {
    if (index < head.length) return head[index] ?? blankRow;
    const inBody = index - head.length;
    return inBody < body.count ? body.row(inBody) : (foot[inBody - body.count] ?? blankRow);
  };
  const field = foot.findIndex((part) => part.kind === 'field' && part.isFocused);
  const reveal = body.reveal ?? (field < 0 ? undefined : body.count + field);
  return {
    ...body,
    count: head.length + body.count + foot.length,
    row: rowAt,
    ...(reveal === undefined ? {} : { reveal: reveal + head.length }),
  };
}

function fitBody(body: SheetBody, room: number): FittedSheet {
  const { count, counter, reveal } = body;
  const isCut = count > room;
  const hasCounter = isCut && counter !== 'none' && room > 1;
  const pageRows = Math.max(1, Math.min(count, hasCounter ? room - 1 : room));
  const maxScroll = Math.max(0, count - pageRows);
  const wished = Math.max(0, Math.min(body.scroll, maxScroll));
  const top =
    reveal === undefined ? wished : topInView({ top: wished, index: reveal, rows: pageRows, count });
  const rows = Array.from({ length: Math.min(pageRows, count) }, (_, index) => body.row(top + index));
  if (hasCounter)
    rows.push(counterRow({ above: top, below: count - top - pageRows, isLoud: counter === 'loud' }));
  while (rows.length < Math.min(heightOf(body), room)) rows.push(blankRow);
  return { rows, pageRows, maxScroll };
}

function counterRow({ above, below, isLoud }: { above: number; below: number; isLoud: boolean }): SheetRow {
  const lines = (count: number) => `${count} more ${count === 1 ? 'line' : 'lines'}`;
  if (below === 0) return row(span(`… ${lines(above)} ↑`, 'dim'));
  const more = span(`… ${lines(below)} ↓`, isLoud ? 'warning' : 'dim');
  return above === 0 ? row(more, span('  PgDn', 'dim')) : row(more, span(`   ${above} ↑`, 'dim'));
}

/** The keys in as many rows as they need; they light up when the dialog takes them. */
function keyRows(
  keys: readonly KeyHint[],
  { width, isArmed }: { width: number; isArmed: boolean },
): SheetRow[] {
  const rows: Span[][] = [];
  for (const { key, does } of keys) {
    const text = truncateEnd(does, Math.max(1, width - textWidth(key) - 1));
    const hint = [
      span(key, isArmed ? 'accent' : 'dim', ...(isArmed ? (['bold'] as const) : [])),
      span(` ${text}`, 'dim'),
    ];
    const last = rows.at(-1);
    if (last && spansWidth(last) + 3 + spansWidth(hint) <= width) last.push(span('   '), ...hint);
    else rows.push(hint);
  }
  return rows.map((spans) => row(...spans));
}

/** The upper edge of a box: the title in it, and at its end the note where there is room for both. */
export function boxTop({ title, note }: Pick<Sheet, 'title' | 'note'>, width: number): readonly Span[] {
  const noteWidth = note !== '' && textWidth(note) + 18 <= width ? textWidth(note) + 2 : 0;
  const shownTitle = truncateEnd(title, Math.max(0, width - 6 - noteWidth));
  const line = '─'.repeat(Math.max(0, width - 5 - noteWidth - textWidth(shownTitle)));
  return [
    span('┌ ', 'borderFocus'),
    span(shownTitle, 'text', 'bold'),
    span(` ${line}`, 'borderFocus'),
    ...(noteWidth === 0 ? [] : [span(` ${note} `, 'dim')]),
    span('─┐', 'borderFocus'),
  ];
}

/** Spans cut or filled up to exactly `width` cells. */
export function fillRow(spans: readonly Span[], width: number): readonly Span[] {
  const clipped = clipSpans(spans, width);
  return [...clipped, span(' '.repeat(width - spansWidth(clipped)))];
}
