import { expect, test } from 'vitest';
import { budgetStop } from '#engine/context/budget.ts';
import { chooseKept } from '#engine/context/choose-kept.ts';
import { endsWithInput, modelMessages } from '#engine/context/history.ts';
import { systemPrompt } from '#engine/context/system-prompt.ts';
import { textEstimate } from '#engine/context/token-estimate.ts';
import { TokenMeter, usableWindow } from '#engine/context/token-meter.ts';
import { clip, personsWords, transcript } from '#engine/context/transcript.ts';
import { trimmedResult } from '#engine/context/trimmed-result.ts';
import { limitResult } from '#engine/turn/limit-result.ts';
import { RepeatGuard } from '#engine/turn/repeat-guard.ts';
import type { Message, MessagePart } from '#protocol/message.ts';
import { testInfo } from '../../support/engine/scripted-model.ts';
import { text } from '../../support/engine/test-tools.ts';

const message = (id: string, parts: MessagePart[], more: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  parts,
  createdAt: 0,
  ...more,
});
const words = (id: string, said: string, more: Partial<Message> = {}) =>
  message(id, [{ kind: 'text', id: `${id}t`, text: said }], more);

test('a call counts as repeated only with the same input, the same result and nothing between', () => {
  const guard = new RepeatGuard();
  const once = (input: string, result: string) => guard.record('peek', { input }, text(result));
  once('a', 'x');
  once('a', 'x');
  expect(guard.check('peek', { input: 'a' })).toBe('ask');
  expect(guard.check('peek', { input: 'b' })).toBe('fine');
  once('b', 'x');
  expect(guard.check('peek', { input: 'a' })).toBe('fine');
  once('a', 'x');
  once('a', 'y');
  expect(guard.check('peek', { input: 'a' })).toBe('fine');
});

test('after a refusal one more repetition stops, after a yes two more are fine', () => {
  const refused = new RepeatGuard();
  const agreed = new RepeatGuard();
  for (const guard of [refused, agreed])
    for (const _ of [1, 2]) guard.record('peek', { a: 1, b: 2 }, text('x'));
  refused.refuse();
  expect(refused.check('peek', { b: 2, a: 1 })).toBe('stop');
  agreed.record('peek', { a: 1, b: 2 }, text('x'));
  expect(agreed.check('peek', { a: 1, b: 2 })).toBe('fine');
});

test('a cut never splits a character, wherever it falls', async () => {
  for (let length = 1_000; length < 1_012; length += 1) {
    const { forModel } = await limitResult(text('🙂'.repeat(length)), {
      maxChars: length,
      filesDir: '/dev/null/nowhere',
      callId: 'c',
    });
    const [content] = forModel;
    expect(content?.kind === 'text' && content.text.isWellFormed()).toBe(true);
    expect(content?.kind === 'text' && content.text).toContain('could not be stored');
  }
  expect(clip('🙂'.repeat(100), 31).isWellFormed()).toBe(true);
});

test('history for the model leaves out what is for people and mends what is broken', () => {
  const messages = [
    words('m1', 'hi'),
    message('m2', [{ kind: 'notice', id: 'n', level: 'info', text: 'psst' }], { role: 'notice' }),
    message(
      'm3',
      [
        { kind: 'reasoning', id: 'r', text: 'half a thought' },
        { kind: 'text', id: 't', text: '  ' },
        { kind: 'tool-call', id: 'p', callId: 'c1', tool: 'peek', input: {} },
        { kind: 'tool-call', id: 'q', callId: 'c2', tool: 'peek', input: {}, rawInput: '' },
      ],
      { role: 'assistant', finish: 'aborted' },
    ),
    message('m4', [{ kind: 'reasoning', id: 'r2', text: 'only thoughts' }], {
      role: 'assistant',
      finish: 'stop',
    }),
  ];
  const sent = modelMessages({ messages, compaction: null });
  expect(sent.map(({ id }) => id)).toEqual(['m1', 'm3']);
  expect(sent[1]?.parts).toMatchObject([{ callId: 'c1', result: { status: 'aborted' } }]);
  expect(sent[0]).toBe(messages[0]);
  expect(modelMessages({ messages, compaction: null })[1]).toBe(sent[1]);
  expect(endsWithInput(sent)).toBe(true);
});

test('after a compaction the summary stands before what was kept, or before what came later', () => {
  const messages = [words('m1', 'a'), words('m2', 'b'), words('m3', 'c')];
  const kept = modelMessages({ messages, compaction: { summary: 's', keptFrom: 'm2', messagesBefore: 3 } });
  expect(kept.map(({ id }) => id)).toEqual(['summary-before-m2', 'm2', 'm3']);
  const none = modelMessages({ messages, compaction: { summary: 's', keptFrom: null, messagesBefore: 2 } });
  expect(none.map(({ id }) => id)).toEqual(['summary-before-2', 'm3']);
});

test('what is kept fits its budget, and the newest message stays unless it is too large', () => {
  const messages = ['m1', 'm2', 'm3'].map((id) => words(id, 'word '.repeat(200)));
  const size = 200;
  const kept = (budget: number, lastMax: number) =>
    chooseKept(messages, { from: 0, budget, lastMax, sizeOf: () => size });
  expect(kept(size * 2.5, 0)).toBe(1);
  expect(kept(10, size * 1.1)).toBe(2);
  expect(kept(10, 10)).toBe(3);
  expect(kept(10_000, 0)).toBe(0);
});

test('the first words and the newest ones of the person are carried over', () => {
  const messages = [
    words('m1', 'the goal', { origin: 'person' }),
    words('m2', 'x'.repeat(500), { origin: 'person' }),
    words('m3', 'not mine', { origin: 'engine' }),
    words('m4', 'the newest', { origin: 'steer' }),
  ];
  expect(personsWords(messages, 300)).toEqual([
    'the goal',
    expect.stringContaining('left out'),
    'the newest',
  ]);
  const many = Array.from({ length: 9 }, (_, index) =>
    words(`n${index}`, `order ${index}`, { origin: 'person' }),
  );
  expect(personsWords(many, 24)).toEqual(['order 0', 'order 7', 'order 8']);
});

test('who summarises reads what was written, and not only where', () => {
  const call = (tool: string, content: string): MessagePart => ({
    ...{ kind: 'tool-call', id: tool, callId: tool, tool, title: 'a.ts', input: { path: 'a.ts', content } },
    result: { ...text('done'), durationMs: 1 },
  });
  const messages = [message('m1', [call('poke', 'new words'), call('peek', 'x')], { role: 'assistant' })];
  const detail = { maxChars: 4_000, isWrite: (tool: string) => tool === 'poke' };
  expect(transcript(messages, detail)).toBe(
    '### Assistant\n[poke a.ts -> ok]\n{"path":"a.ts","content":"new words"}\ndone\n[peek a.ts -> ok]\ndone',
  );
  const long = message('m2', [call('poke', 'y'.repeat(9_000))], { role: 'assistant' });
  expect(transcript([long], detail).length).toBeLessThan(500);
});

test('a shortened result is cut at the ends of lines where they are near', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} of the output`).join('\n');
  const result = { ...text(lines), durationMs: 1 };
  const part = { kind: 'tool-call', id: 'p', callId: 'c', tool: 'peek', input: {}, result } as const;
  const shown = trimmedResult({ ...part, result }, 'preview').split('\n');
  expect(shown.filter((line) => !/^line \d+ of the output$/.test(line))).toEqual([
    expect.stringMatching(/^\[… [\d,]+ characters of an earlier result left out here/),
  ]);
});

test('the meter learns from what the provider counts, and from a refusal', () => {
  const meter = new TokenMeter();
  const messages = [words('m1', 'word '.repeat(2_000))];
  const plain = meter.estimate(messages, 100);
  meter.learn({ messages, fixed: 100, counted: plain * 2 });
  expect(meter.estimate(messages, 100)).toBeCloseTo(plain * 2, -1);
  expect(meter.usable(testInfo)).toBe(usableWindow(testInfo));
  meter.overflowed(5_000);
  expect(meter.usable(testInfo)).toBe(4_500);
  meter.learn({ messages, fixed: 100, counted: 6_000 });
  expect(meter.usable(testInfo)).toBe(usableWindow(testInfo));
});

test('the plain estimate is near what tokenizers count', () => {
  const prose = 'The quick brown fox jumps over the lazy dog, and then it sleeps in the warm afternoon sun. ';
  expect(textEstimate(prose.repeat(10)) / 10).toBeGreaterThan(17);
  expect(textEstimate(prose.repeat(10)) / 10).toBeLessThan(26);
  expect(textEstimate('日本語のテキスト')).toBeGreaterThanOrEqual(7);
});

test('a budget counts the next call before it is made', () => {
  const info = {
    ...testInfo,
    local: false,
    price: { value: { input: 2, output: 10, cacheRead: 0.2 }, origin: 'config' as const },
  };
  const ask = (spentUsd: number, cacheRead: number) =>
    budgetStop({
      limits: { run: 1 },
      spent: { run: spentUsd, thread: 0, day: 0 },
      info,
      inputTokens: 100_000,
      last: { usage: { input: 1, output: 1_000, cacheRead, cacheWrite: 0, reasoning: 0 } },
    });
  expect(ask(0.7, 0)).toBeUndefined();
  expect(ask(0.8, 0)).toContain('$0.21');
  expect(ask(0.8, 100_000)).toBeUndefined();
  const spent = { run: 9, thread: 9, day: 9 };
  expect(budgetStop({ limits: {}, spent, info, inputTokens: 1, last: undefined })).toBeUndefined();
  expect(budgetStop({ limits: { run: 10, day: 9 }, spent, info, inputTokens: 1, last: undefined })).toContain(
    '$9 of the $9 for today (max_budget_usd.day)',
  );
});

test('the system prompt goes from what never changes to what changes daily, and is small', () => {
  const parts = {
    cwd: '/ws',
    roots: ['/ws'],
    platform: 'linux' as const,
    canAsk: true,
    openedAt: Date.UTC(2030, 4, 6, 12),
  };
  const blocks = systemPrompt({ ...parts, instructions: ['Use tabs.'] });
  expect(blocks).toHaveLength(3);
  expect(blocks[0]).toBe(systemPrompt({ ...parts, cwd: '/other', instructions: [] })[0]);
  expect(blocks[1]).toContain('Working folder: /ws');
  expect(blocks[1]).toMatch(/Use tabs\.$/);
  expect(blocks[2]).toBe('Today is 2030-05-06.');
  const [, , headless] = systemPrompt({ ...parts, instructions: [], canAsk: false });
  expect(headless).toMatch(/^Nobody is there to answer .* decide yourself.*\n\nToday is 2030-05-06\.$/s);
  const peer = systemPrompt({ ...parts, instructions: [], canAsk: false, role: 'You are a peer.' });
  expect(peer[0]).toBe('You are a peer.');
  expect(peer[2]).toBe('Nobody is there to answer in this run.\n\nToday is 2030-05-06.');
  expect(Buffer.byteLength(blocks.join())).toBeLessThan(5_000);
});
