import { expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import { PortionReader } from '../../../src/providers/wire/portions.ts';

class HandClock implements Clock {
  time = 1_000;
  waited: number[] = [];

  now(): number {
    return this.time;
  }

  async wait(ms: number): Promise<void> {
    this.waited.push(ms);
    this.time += ms;
  }

  after(): () => void {
    return () => undefined;
  }
}

const bytes = (text: string) => Buffer.from(text);

/** A body whose chunks are there from the start, or never come. */
function bodyOf(texts: readonly string[], { isOpen = false } = {}) {
  const left = [...texts];
  return () => {
    const text = left.shift();
    if (text !== undefined) return Promise.resolve({ done: false, value: bytes(text) });
    return isOpen ? new Promise<never>(() => undefined) : Promise.resolve({ done: true });
  };
}

const texts = (chunks: readonly Uint8Array[]) => chunks.map((chunk) => Buffer.from(chunk).toString());

test('what is there comes as one portion, with what was read before', async () => {
  const reader = new PortionReader(bodyOf(['b', 'c']), { first: bytes('a') });
  const { chunks, isEnd } = await reader.next();
  expect(texts(chunks)).toEqual(['a', 'b', 'c']);
  expect(isEnd).toBe(true);
});

test('a portion does not wait for what may never come', async () => {
  const reader = new PortionReader(bodyOf(['a'], { isOpen: true }));
  const { chunks, isEnd } = await reader.next();
  expect(texts(chunks)).toEqual(['a']);
  expect(isEnd).toBe(false);
});

test('only running text gathers for a moment', async () => {
  const clock = new HandClock();
  const reader = new PortionReader(bodyOf([], { isOpen: true }), { first: bytes('a'), clock });
  await reader.next();
  expect(clock.waited).toEqual([]);

  const gathering = new PortionReader(bodyOf(['b']), { first: bytes('a'), clock });
  gathering.gather();
  clock.time += 10;
  await gathering.next();
  expect(clock.waited).toEqual([35]);
});

test('a clock that is set back holds nothing up for long', async () => {
  const clock = new HandClock();
  const reader = new PortionReader(bodyOf(['a']), { clock });
  reader.gather();
  clock.time -= 3_600_000;
  await reader.next();
  expect(clock.waited).toEqual([45]);
});

test('a flood comes in portions, and does not gather', async () => {
  const clock = new HandClock();
  const reader = new PortionReader(bodyOf(Array(10).fill('x'.repeat(20_000))), { clock });
  const { chunks, isEnd } = await reader.next();
  expect(chunks).toHaveLength(2);
  expect(isEnd).toBe(false);
  reader.gather();
  await reader.next();
  expect(clock.waited).toEqual([]);
});
