import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topInView } from '#ui/frame/top-in-view.ts';

test('a window always holds the row it must show and wastes no room', () => {
  const view = fc
    .record({
      count: fc.integer({ min: 1, max: 50 }),
      rows: fc.integer({ min: 1, max: 20 }),
      top: fc.nat(80),
    })
    .chain((known) => fc.record({ ...record(known), index: fc.nat(known.count - 1) }));
  fc.assert(
    fc.property(view, ({ count, rows, top, index }) => {
      const first = topInView({ top, index, rows, count });
      expect(index).toBeGreaterThanOrEqual(first);
      expect(index).toBeLessThan(first + rows);
      expect(first).toBeLessThanOrEqual(Math.max(0, count - rows));
    }),
  );
});

function record<T extends Record<string, number>>(values: T) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [Key in keyof T]: fc.Arbitrary<number>;
  };
}
