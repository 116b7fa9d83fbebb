import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import { boxTop, fillRow, fitSheet, frameRows } from '#ui/dialogs/sheet/fit-sheet.ts';
import { row, type Sheet, type SheetRow, staticBody } from '#ui/dialogs/sheet/sheet.ts';
import { type Span, span, spansWidth } from '#ui/theme/span.ts';

const lines = (name: string, count: number): SheetRow[] =>
  Array.from({ length: count }, (_, index) => row(span(`${name} ${index}`)));

function sheet(parts: { head?: number; body: number; foot?: number; scroll?: number }): Sheet {
  return {
    frame: 'box',
    title: 'title',
    note: '',
    head: lines('head', parts.head ?? 0),
    body: staticBody(lines('body', parts.body), parts.scroll ?? 0),
    foot: lines('foot', parts.foot ?? 0),
    keys: [{ key: 'Esc', does: 'close' }],
  };
}

const texts = (rows: readonly SheetRow[]) =>
  rows.map((each) => (each.kind === 'spans' ? each.spans.map(({ text }) => text).join('') : 'field'));
const fitted = (parts: Parameters<typeof sheet>[0], maxRows: number) =>
  fitSheet(sheet(parts), { width: 40, maxRows, isArmed: true });

describe('a sheet', () => {
  test('with room is as high as it needs to be, its parts set apart', () => {
    expect(texts(fitted({ head: 1, body: 2, foot: 1 }, 30).rows)).toEqual([
      'head 0',
      '',
      'body 0',
      'body 1',
      '',
      'foot 0',
      '',
      'Esc close',
    ]);
  });

  test('says how much of it is not in view', () => {
    expect(texts(fitted({ body: 50 }, 9).rows)).toEqual([
      'body 0',
      'body 1',
      'body 2',
      'body 3',
      'body 4',
      '… 45 more lines ↓  PgDn',
      'Esc close',
    ]);
    const middle = fitted({ body: 50, scroll: 10 }, 9);
    expect(texts(middle.rows).slice(4, 6)).toEqual(['body 14', '… 35 more lines ↓   10 ↑']);
    expect([middle.pageRows, middle.maxScroll]).toEqual([5, 45]);
    expect(texts(fitted({ body: 50, scroll: 99 }, 9).rows).slice(4, 6)).toEqual([
      'body 49',
      '… 45 more lines ↑',
    ]);
  });

  test('on a low screen gives up blank rows, then lets foot and head scroll with the rest', () => {
    expect(texts(fitted({ head: 1, body: 4, foot: 1 }, 9).rows)).toEqual([
      'head 0',
      'body 0',
      'body 1',
      'body 2',
      'body 3',
      'foot 0',
      'Esc close',
    ]);
    expect(texts(fitted({ head: 1, body: 4, foot: 2 }, 8).rows)).toEqual([
      'head 0',
      'body 0',
      'body 1',
      'body 2',
      '… 3 more lines ↓  PgDn',
      'Esc close',
    ]);
    expect(texts(fitted({ head: 4, body: 4 }, 8).rows)).toEqual([
      'head 0',
      'head 1',
      'head 2',
      'head 3',
      '… 4 more lines ↓  PgDn',
      'Esc close',
    ]);
  });

  test('never takes more rows than there are, whatever is in it', () => {
    const parts = fc.record({ head: fc.nat(12), body: fc.nat(80), foot: fc.nat(8), scroll: fc.nat(90) });
    fc.assert(
      fc.property(parts, fc.integer({ min: 5, max: 50 }), (wanted, maxRows) => {
        const { rows, pageRows, maxScroll } = fitted(wanted, maxRows);
        expect(rows.length + frameRows('box')).toBeLessThanOrEqual(maxRows);
        expect(pageRows).toBeGreaterThan(0);
        expect(maxScroll).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('keeps the height of a list while a filter makes it shorter', () => {
    const { body, ...rest } = sheet({ head: 1, body: 1 });
    const { rows } = fitSheet(
      { ...rest, body: { ...body, reserve: 3 } },
      { width: 40, maxRows: 20, isArmed: true },
    );
    expect(texts(rows)).toEqual(['head 0', '', 'body 0', '', '', '', 'Esc close']);
  });

  test('can be scrolled to its every row', () => {
    const parts = fc.record({ head: fc.nat(6), body: fc.integer({ min: 1, max: 40 }), foot: fc.nat(4) });
    fc.assert(
      fc.property(parts, fc.integer({ min: 5, max: 30 }), (wanted, maxRows) => {
        const seen = new Set<string>();
        const { maxScroll } = fitted(wanted, maxRows);
        for (let scroll = 0; scroll <= maxScroll; scroll += 1)
          for (const text of texts(fitted({ ...wanted, scroll }, maxRows).rows)) seen.add(text);
        for (let index = 0; index < wanted.body; index += 1) expect(seen).toContain(`body ${index}`);
        for (let index = 0; index < wanted.foot; index += 1) expect(seen).toContain(`foot ${index}`);
      }),
    );
  });
});

describe('a row', () => {
  const anySpans = fc.array(
    fc.string({ unit: 'grapheme-ascii' }).map((text) => span(text)),
    { maxLength: 6 },
  );

  test('is exactly as wide as its frame', () => {
    const wide = fc.array(
      fc.constantFrom('a', '日', '本', ' ', 'é').map((text): Span => span(text)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(fc.oneof(anySpans, wide), fc.integer({ min: 1, max: 40 }), (spans, width) => {
        expect(spansWidth(fillRow(spans, width))).toBe(width);
      }),
    );
  });

  test('that is cut says so', () => {
    const cut = fillRow([span('abc'), span('def')], 3);
    expect(cut.map(({ text }) => text).join('')).toBe('ab…');
  });

  test('of the upper edge is exactly as wide, and leaves the note out before the title', () => {
    const text = (width: number) =>
      boxTop({ title: 'bash wants to run', note: '1 of 3' }, width)
        .map((piece) => piece.text)
        .join('');
    for (let width = 8; width < 100; width += 1) expect(textWidth(text(width))).toBe(width);
    expect(text(40)).toBe('┌ bash wants to run ────────── 1 of 3 ─┐');
    expect(text(23)).toBe('┌ bash wants to run ──┐');
  });
});
