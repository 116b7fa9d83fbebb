import { expect, it } from 'vitest';
import { systemClock } from '#lib/clock.ts';

it('a time longer than a timer can wait is not over at once', async () => {
  const over: string[] = [];
  const cancel = systemClock.after(1e15, () => over.push('after'));
  const stop = new AbortController();
  const wait = systemClock.wait(1e15, { signal: stop.signal }).then(() => over.push('wait'));
  await systemClock.wait(20);
  expect(over).toEqual([]);
  cancel();
  stop.abort();
  await wait;
});
