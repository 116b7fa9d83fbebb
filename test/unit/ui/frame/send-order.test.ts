import { expect, test } from 'vitest';
import { createSendOrder, opensThread } from '#ui/frame/send-order.ts';

test('what is sent while a thread is opened waits for it, in its order', async () => {
  const order = createSendOrder();
  const sent: string[] = [];
  const send = (text: string): void => {
    if (!order.holds(() => send(text))) sent.push(text);
  };
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  send('before');
  order.open(first.promise);
  send('one');
  send('two');
  expect(sent).toEqual(['before']);
  first.resolve();
  await first.promise.then(() => undefined);
  expect(sent).toEqual(['before', 'one', 'two']);
  order.open(second.promise);
  send('three');
  expect(sent).toHaveLength(3);
});

test('a command that opens a thread is known by its name and its other names', () => {
  const clear = { name: 'clear', aliases: ['new'], summary: '', args: '', opensThread: true };
  const cost = { name: 'cost', aliases: [], summary: '', args: '' };
  const lines = ['/clear', '/new', '/cost', '/clearer', 'clear'];
  expect(lines.map((line) => opensThread(line, [clear, cost]))).toEqual([true, true, false, false, false]);
});
