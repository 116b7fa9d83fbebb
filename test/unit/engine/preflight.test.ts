import { expect, test } from 'vitest';
import { modelPreflight } from '#engine/context/preflight.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { fakePreflight } from '../../support/ui/fake-port.ts';

const said = (id: string, text: string): Message => ({
  id,
  role: 'user',
  createdAt: 0,
  parts: [
    { id: 't', kind: 'text', text },
    { id: 'i', kind: 'image', mediaType: 'image/png', source: { kind: 'inline', base64: 'AA' } },
  ],
});
const thought: Message = {
  id: 'a',
  role: 'assistant',
  createdAt: 0,
  model: { provider: 'first', model: 'm' },
  parts: [
    { id: 'r', kind: 'reasoning', text: 'hm', private: { family: 'anthropic', data: {} } },
    { id: 't', kind: 'text', text: 'yes' },
  ],
};
const conversation: ThreadState = {
  ...emptyThreadState({ threadId: 't', cwd: '/w', mode: 'prompt' }),
  messages: [said('u', 'a long story '.repeat(2_000)), thought],
};

function model(provider: string, changes: Partial<ModelInfo> = {}): ModelInfo {
  return {
    ...fakePreflight({ provider, model: 'm' }).info,
    price: { value: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }, origin: 'catalogue' },
    ...changes,
  };
}
const free = (provider: string): ModelInfo => {
  const { price: _price, ...info } = model(provider, { local: true });
  return info;
};
const unpriced = (provider: string): ModelInfo => ({ ...free(provider), local: false });

const check = (info: ModelInfo, present: ModelInfo | undefined = model('first'), state = conversation) =>
  modelPreflight({ state, info, present, compactAt: 0.85 });

test('a switch between models of one price that takes everything along is worth no question', () => {
  expect(check(model('second'))).toMatchObject({
    fit: 'fits',
    images: 1,
    leavesReasoning: true,
    leavesMachine: false,
    isWorthAsking: false,
  });
  expect(check(free('second'), free('first')).isWorthAsking).toBe(false);
  // A long way down in price is no bad news either.
  expect(check(free('second')).isWorthAsking).toBe(false);
});

test('what does not fit, cannot be seen or cannot be called is asked about', () => {
  const window = (value: number) => ({ contextWindow: { value, origin: 'server' as const } });
  const small = check(model('second', window(4_000)));
  expect(small).toMatchObject({ fit: 'too-long', isWorthAsking: true });
  expect(small.compacted).toBeLessThan(small.tokens);
  const no = { value: false, origin: 'server' as const };
  expect(check(model('second', { images: no })).isWorthAsking).toBe(true);
  expect(check(model('second', { tools: no })).isWorthAsking).toBe(true);
});

test('the price is of a first call without cache, and unknown is not free', () => {
  const dearer = check(model('second', { price: { value: { input: 30, output: 150 }, origin: 'config' } }));
  expect(dearer.firstCallUsd).toBeCloseTo((dearer.tokens * 30 + 400 * 150) / 1_000_000);
  expect(dearer.isWorthAsking).toBe(true);
  const cached = check(model('second'));
  expect(cached.laterCallUsd ?? 0).toBeLessThan((cached.firstCallUsd ?? 0) / 2);
  expect(check(unpriced('second'))).toMatchObject({ firstCallUsd: null, isWorthAsking: true });
  expect(check(unpriced('second'), unpriced('first')).isWorthAsking).toBe(false);
  expect(check(free('second'))).toMatchObject({ firstCallUsd: 0, laterCallUsd: 0 });
});

test('that a conversation leaves this machine is asked about, unless there is none yet', () => {
  expect(check(model('second'), free('first'))).toMatchObject({ leavesMachine: true, isWorthAsking: true });
  const empty = { ...conversation, messages: [] };
  expect(check(model('second'), free('first'), empty).isWorthAsking).toBe(false);
});

test('another effort of the same model is no switch', () => {
  const { ref } = model('first');
  const tiny = { value: 4_000, origin: 'server' as const };
  expect(check(model('first', { ref: { ...ref, effort: 'high' }, contextWindow: tiny })).isWorthAsking).toBe(
    false,
  );
});
