import { expect, test } from 'vitest';
import { contextText } from '#app/context-text.ts';
import { fitOf } from '#engine/context/context-use.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

const model = { provider: 'p', model: 'm' };
const read = (id: string, input: number | null): Message => ({
  id,
  role: 'assistant',
  model,
  parts: [
    {
      id: 'c',
      kind: 'tool-call',
      callId: `call-${id}`,
      tool: 'read_file',
      input: { path: 'a.ts' },
      result: {
        status: 'ok',
        forModel: [{ kind: 'text', text: 'some words of a file\n'.repeat(200) }],
        fileStates: [{ path: '/ws/a.ts', sha256: 'x' }],
        durationMs: 1,
      },
    },
  ],
  usage: { input, output: 1, cacheRead: null, cacheWrite: null, reasoning: null },
  createdAt: 0,
});
const question: Message = {
  id: 'q',
  role: 'user',
  origin: 'person',
  parts: [{ id: 't', kind: 'text', text: 'read a.ts twice' }],
  createdAt: 0,
};

function stateWith(more: Partial<ThreadState>): ThreadState {
  return {
    ...emptyThreadState({ threadId: 't', cwd: '/ws', mode: 'prompt' }),
    model,
    contextWindow: 16_000,
    frame: { system: 600, instructions: 0, tools: 1_400, laterTools: 120, usable: 13_600 },
    ...more,
  };
}

test('every kind of content has its bar, its figure and its share, and what is free is told', () => {
  const text = contextText(stateWith({ messages: [question, read('r1', null)] }));
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^The next request takes about [\d,]+ of 16,000 tokens of p\/m \(\d+ %\)\.$/);
  const labels = lines
    .filter((line) => /^[▓░]/.test(line))
    .map((line) => line.replace(/^[▓░]+\s+/, '').replace(/\s{2,}.*/, ''));
  expect(labels).toEqual(['system prompt', 'tools', 'files read', 'conversation', 'free', 'for the answer']);
  expect(text).toMatch(/▓░{23} {2}system prompt {5,}600 {2,}4 %/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
});

test('the figures go by what the provider counted', () => {
  const messages = [question, read('r1', 4_030), read('r2', null)];
  const counted = contextText(stateWith({ messages }));
  // About 2,015 were estimated for the request that was counted.
  expect(counted).toMatch(/system prompt +1,[12]\d\d/);
});

test('after a rewrite of the history the scale of then counts, until a provider has counted again', () => {
  const rewrite = { at: 2, scale: 1.5, former: { compaction: null, trims: {} } };
  const before = stateWith({ messages: [question, read('r1', 4_030)], rewrite });
  expect(contextText(before)).toMatch(/system prompt +900/);
  const since = stateWith({ messages: [...before.messages, read('r2', 9_000)], rewrite });
  expect(contextText(since)).not.toMatch(/system prompt +900/);
});

test('whether a history goes into another window is told with what a compaction would leave', () => {
  const messages = [question, ...Array.from({ length: 12 }, (_, index) => read(`r${index}`, null))];
  const info = (window: number) => ({
    ref: { provider: 'q', model: 'n' },
    contextWindow: { value: window, origin: 'config' as const },
    outputLimit: { value: 1_000, origin: 'config' as const },
  });
  const fits = (window: number) => fitOf(stateWith({ messages }), info(window), { compactAt: 0.85 });
  expect(fits(100_000).fit).toBe('fits');
  const { tokens } = fits(100_000);
  expect(fits(tokens + 1_500).fit).toBe('tight');
  const small = fits(8_000);
  expect(small.fit).toBe('too-long');
  expect(small.compacted).toBeLessThan(small.usable);
});
