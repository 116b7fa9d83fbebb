import { expect, test } from 'vitest';
import { CacheWatch } from '#engine/context/cache-watch.ts';
import type { Message } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';

const model = { provider: 'p', model: 'm' };
const said = (id: string, text = id): Message => ({
  id,
  role: 'user',
  parts: [{ kind: 'text', id: `${id}t`, text }],
  createdAt: 0,
});
const counted = (input: number, cacheRead: number | null): Usage => ({
  input,
  output: 1,
  cacheRead,
  cacheWrite: 0,
  reasoning: 0,
});
const request = {
  system: ['global', 'project'],
  tools: [{ name: 'a', description: '', parameters: {} }],
  messages: [said('1'), said('2')],
};

/** What is missed by a request after two good ones. */
function missAfter(changed: Partial<typeof request>, { usage = counted(9_000, 0), at = 1_000 } = {}) {
  const watch = new CacheWatch();
  watch.sending(request, { model, at: 0 })(counted(7_000, 0));
  const grown = { ...request, messages: [...request.messages, said('3')] };
  expect(watch.sending(grown, { model, at: 0 })(counted(8_000, 7_000))).toBeUndefined();
  const next = { ...grown, messages: [...grown.messages, said('4')], ...changed };
  return watch.sending(next, { model, at })(usage);
}

test('a miss is put down to the first thing that differs, in the order in which a provider reads', () => {
  expect(missAfter({ tools: [], system: [] })).toEqual({ reason: 'tools-changed', tokens: 8_000 });
  expect(missAfter({ system: ['other'] })).toMatchObject({ reason: 'system-changed' });
  expect(missAfter({ messages: [said('summary-before-3'), said('3')] })).toMatchObject({
    reason: 'compacted',
  });
  expect(missAfter({ messages: [said('1', 'shorter'), said('2'), said('3')] })).toMatchObject({
    reason: 'trimmed',
  });
  expect(missAfter({ messages: [said('2'), said('3')] })).toMatchObject({ reason: 'history-changed' });
  expect(missAfter({}, { at: 400_000 })).toMatchObject({ reason: 'expired' });
  expect(missAfter({})).toMatchObject({ reason: 'unknown' });
});

test('what was found, is too short to be kept, or was not counted is no miss', () => {
  expect(missAfter({}, { usage: counted(9_000, 7_900) })).toBeUndefined();
  expect(missAfter({}, { usage: counted(9_000, null) })).toBeUndefined();
  const watch = new CacheWatch();
  watch.sending(request, { model, at: 0 })(counted(500, 0));
  expect(watch.sending({ ...request, system: [] }, { model, at: 0 })(counted(600, 0))).toBeUndefined();
});

test('a server that never finds anything is not blamed for it', () => {
  const watch = new CacheWatch();
  for (const input of [7_000, 8_000, 9_000])
    expect(watch.sending(request, { model, at: 0 })(counted(input, 0))).toBeUndefined();
});
