import { expect, test } from 'vitest';
import { LiveThread } from '#engine/thread/live-thread.ts';
import { ThreadLog } from '#engine/thread/log.ts';
import { systemClock } from '#lib/clock.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';

function newThread() {
  const state = emptyThreadState({ threadId: 'T1', cwd: '/ws', mode: 'prompt' });
  const thread = new LiveThread({ state, log: null, clock: systemClock });
  const rename = (name: string) => thread.emit({ kind: 'thread-renamed', name }, null);
  const delta = (text: string, partId = 'p1') =>
    thread.emit({ kind: 'text-delta', messageId: 'm1', partId, text }, 't1');
  return { thread, rename, delta };
}

async function take(events: AsyncIterable<EngineEvent>, count: number): Promise<EngineEvent[]> {
  const taken: EngineEvent[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

test('events are numbered without a gap and stamped', () => {
  const { rename } = newThread();
  expect(rename('a')).toMatchObject({ kind: 'thread-renamed', threadId: 'T1', turnId: null, seq: 1 });
  expect(rename('b').seq).toBe(2);
});

test('a new reader gets a snapshot of all that went before, then what follows', async () => {
  const { thread, rename } = newThread();
  rename('before');
  const events = thread.events();
  rename('after');
  expect(await take(events, 2)).toMatchObject([
    { kind: 'thread-snapshot', seq: 1, state: { name: 'before', seq: 1 } },
    { kind: 'thread-renamed', name: 'after', seq: 2 },
  ]);
});

test('a reader that names the last event it saw gets what it missed', async () => {
  const { thread, rename } = newThread();
  for (const name of ['a', 'b', 'c']) rename(name);
  expect(await take(thread.events(1), 2)).toMatchObject([{ name: 'b' }, { name: 'c' }]);
  const upToDate = thread.events(3);
  rename('d');
  expect(await take(upToDate, 1)).toMatchObject([{ name: 'd' }]);
});

test('what is no longer at hand, or never was, comes as a snapshot', async () => {
  const { thread, rename } = newThread();
  for (let count = 0; count < 3_000; count += 1) rename(`${count}`);
  expect((await take(thread.events(5), 1))[0]?.kind).toBe('thread-snapshot');
  expect((await take(thread.events(9_999), 1))[0]?.kind).toBe('thread-snapshot');
  expect((await take(thread.events(2_900), 1))[0]).toMatchObject({ seq: 2_901 });
});

test('a slow reader gets the deltas of one part as one, and everything else', async () => {
  const { thread, rename, delta } = newThread();
  const events = thread.events(0);
  delta('one ');
  delta('two ');
  delta('other', 'p2');
  rename('x');
  delta('three');
  expect(await take(events, 4)).toMatchObject([
    { kind: 'text-delta', partId: 'p1', text: 'one two ', seq: 2 },
    { kind: 'text-delta', partId: 'p2', text: 'other' },
    { kind: 'thread-renamed', name: 'x' },
    { kind: 'text-delta', partId: 'p1', text: 'three' },
  ]);
});

test('closing ends every reader after what was emitted', async () => {
  const { thread, rename } = newThread();
  const events = thread.events();
  rename('last words');
  await thread.close();
  expect(await take(events, 9)).toHaveLength(2);
  expect(await take(thread.events(), 9)).toHaveLength(1);
});

test('what a reader hears of is in the log by then', async () => {
  let written = '';
  const log = new ThreadLog({
    open: () => ({
      append: (bytes) => {
        written += Buffer.from(bytes).toString();
      },
      truncate: () => undefined,
      sync: async () => undefined,
      bringBack: () => false,
      close: () => undefined,
    }),
    length: 0,
    backlog: [],
    onTrouble: () => undefined,
    onRecovery: () => undefined,
    onRestored: () => undefined,
  });
  const state = emptyThreadState({ threadId: 'T1', cwd: '/ws', mode: 'prompt' });
  const thread = new LiveThread({ state, log, clock: systemClock });
  const heard: boolean[] = [];
  const reading = (async () => {
    for await (const event of thread.events(0)) heard.push(written.includes(`"seq":${event.seq},`));
  })();
  for (const name of ['a', 'b']) {
    thread.emit({ kind: 'thread-renamed', name }, null);
    await Promise.resolve();
  }
  await thread.close();
  await reading;
  expect(heard).toEqual([true, true]);
});
