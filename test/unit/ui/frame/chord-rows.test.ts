import { expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import { chordRows } from '#ui/frame/chord-rows.ts';

const hint = (count: number) => ({
  keys: 'Ctrl+X',
  next: Array.from({ length: count }, (_, index) => ({
    key: `K${index}`,
    does: `what the key number ${index} does and why one would press it`,
  })),
});
const texts = (count: number, width: number) =>
  chordRows(hint(count) as never, width).map((row) => row.map(({ text }) => text).join(''));

test('all keys that can come next are shown where there is room, in rows that fit', () => {
  for (const width of [40, 76, 116]) {
    const rows = texts(11, width);
    expect(rows.length).toBeLessThanOrEqual(7);
    for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
    const shown = rows.join('\n').match(/\bK\d+/g)?.length ?? 0;
    const left = Number(/(\d+) more/.exec(rows[0] ?? '')?.[1] ?? 0);
    expect(shown + left).toBe(11);
  }
  expect(texts(11, 76)[0]).not.toContain('more');
  expect(texts(90, 40)[0]).toContain('more in /keys');
});
