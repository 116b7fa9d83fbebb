import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUiStore } from '../../../../src/ui/store/ui-store.ts';
import { fallbackTheme } from '../../../../src/ui/theme/theme.ts';
import { transcriptModel } from '../../../../src/ui/transcript/transcript-model.ts';
import { Scene } from '../../../ui/transcript/scene.ts';

const theme = fallbackTheme({ colorLevel: 'none' });

/** A thread of some messages of different heights, and all its rows. */
function opened(heights: readonly number[]) {
  const store = createUiStore();
  const scene = new Scene({ threadId: '', onEvent: (event) => store.apply(event) });
  for (const [at, height] of heights.entries())
    scene.user(Array.from({ length: height }, (_, row) => `m${at}r${row}`).join('\n'));
  store.publishNow();
  const model = transcriptModel(store);
  const layout = (height: number) => model.layout({ width: 80, height, theme });
  const all = [...layout(10_000).rows];
  return { store, scene, model, layout, all };
}

const heights = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 12 });
const step = fc.oneof(
  fc.integer({ min: -15, max: 15 }).map((rows) => ({ kind: 'scroll' as const, rows })),
  fc.constantFrom('up' as const, 'down' as const).map((direction) => ({ kind: 'page' as const, direction })),
  fc.constant({ kind: 'top' as const }),
  fc.constant({ kind: 'newest' as const }),
);

test('whatever is scrolled, the window shows a piece of the whole, and its end when it follows', () => {
  fc.assert(
    fc.property(
      heights,
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 2, max: 20 }),
      (sizes, steps, height) => {
        const { model, layout, all } = opened(sizes);
        layout(height);
        for (const action of steps) {
          if (action.kind === 'scroll') model.scroll(action.rows);
          else if (action.kind === 'page') model.page(action.direction);
          else if (action.kind === 'top') model.toTop();
          else model.toNewest();
          const shown = layout(height);
          const from = all.findIndex((_, at) => shown.rows.every((row, index) => all[at + index] === row));
          expect(from).toBeGreaterThanOrEqual(0);
          expect(shown.rows.length).toBeLessThanOrEqual(shown.isAtEnd ? height : height - 1);
          if (!shown.isAtEnd) expect(shown.rows.length).toBe(height - 1);
          if (shown.isAtEnd) expect(shown.rows.at(-1)).toBe(all.at(-1));
          if (shown.isAtEnd && all.length >= height)
            expect(shown.rows.length).toBeGreaterThanOrEqual(height - Math.floor(height / 6));
          expect(model.isFollowing() || !shown.isAtEnd || all.length <= height).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('scrolling up and down again by as much comes back to the same rows', () => {
  const { model, layout } = opened([4, 4, 4, 4, 4, 4]);
  layout(8);
  model.scroll(-12);
  const before = layout(8).rows;
  model.scroll(-5);
  model.scroll(5);
  expect(layout(8).rows).toEqual(before);
});

test('while the end grows the first row stays until the window is full, then some rows go at once', () => {
  const { scene, store, layout } = opened([1]);
  const tops: string[] = [];
  scene.turn().begin().textStart();
  for (let at = 0; at < 40; at += 1) {
    scene.delta(`line ${at}\n`);
    store.publishNow();
    tops.push(String(layout(18).rows[0]));
  }
  const moves = tops.filter((top, at) => at > 0 && top !== tops[at - 1]).length;
  expect(moves).toBeGreaterThan(3);
  expect(moves).toBeLessThan(12);
});

test('a window of one row is no trouble', () => {
  const { model, layout } = opened([3, 3]);
  layout(1);
  model.scroll(-2);
  expect(layout(1).rows.length).toBeLessThanOrEqual(1);
  model.toggleExpand();
  model.page('down');
  model.toNewest();
  expect(layout(1).rows).toHaveLength(1);
});
