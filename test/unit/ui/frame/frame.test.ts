import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, isTooSmall, layoutFrame } from '#ui/frame/frame.ts';

const sum = (frame: Frame) => Object.values(frame).reduce((total, rows) => total + rows, 0);
const idle = { prompt: 1, popup: 0, pending: 0, isBusy: false, hasTodos: false, dialog: 0 };

test('the parts always fill the window exactly and leave the transcript its rows', () => {
  const wishes = fc.record({
    rows: fc.integer({ min: 10, max: 200 }),
    prompt: fc.integer({ min: 1, max: 300 }),
    popup: fc.integer({ min: 0, max: 8 }),
    pending: fc.integer({ min: 0, max: 9 }),
    isBusy: fc.boolean(),
    hasTodos: fc.boolean(),
    dialog: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(wishes, (wish) => {
      const frame = layoutFrame(wish);
      expect(sum(frame)).toBe(wish.rows);
      for (const rows of Object.values(frame)) expect(rows).toBeGreaterThanOrEqual(0);
      expect(frame.transcript).toBeGreaterThanOrEqual(wish.dialog > 0 ? 1 : 3);
      expect(frame.prompt > 0 || frame.dialog > 0).toBe(true);
    }),
  );
});

test('the smallest window keeps six rows of transcript beside a full prompt', () => {
  expect(layoutFrame({ ...idle, rows: 10, prompt: 9 })).toMatchObject({
    transcript: 6,
    prompt: 2,
    topRule: 1,
  });
  expect(layoutFrame({ ...idle, rows: 10, prompt: 9, isBusy: true })).toMatchObject({
    transcript: 6,
    activity: 1,
    topRule: 0,
  });
});

test('a long draft takes a third of the window', () => {
  expect(layoutFrame({ ...idle, rows: 40, prompt: 100 }).prompt).toBe(13);
});

test('below 40 columns or 10 rows a window is too small', () => {
  expect(isTooSmall({ columns: 40, rows: 10 })).toBe(false);
  expect(isTooSmall({ columns: 39, rows: 50 })).toBe(true);
  expect(isTooSmall({ columns: 200, rows: 9 })).toBe(true);
});
