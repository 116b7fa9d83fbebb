import { expect, test } from 'vitest';
import { textEstimate } from '#engine/context/token-estimate.ts';
import { TokenMeter } from '#engine/context/token-meter.ts';
import type { Message } from '#protocol/message.ts';
import samples from '../../fixtures/token-counts.json' with { type: 'json' };

// Texts of many kinds with what two tokenizers in wide use really made of them.
const total = (count: (sample: (typeof samples)[number]) => number) =>
  samples.reduce((sum, sample) => sum + count(sample), 0);

test.each(samples)('$name is estimated within a fifth of what two tokenizers count', ({ text, counts }) => {
  const estimate = textEstimate(text);
  expect(estimate).toBeGreaterThan(Math.min(...counts) * 0.8);
  expect(estimate).toBeLessThan(Math.max(...counts) * 1.2);
});

test('all of them together are estimated within a fourteenth', () => {
  for (const tokenizer of [0, 1]) {
    const share = total(({ text }) => textEstimate(text)) / total(({ counts }) => counts[tokenizer] ?? 0);
    expect(Math.abs(share - 1)).toBeLessThan(0.07);
  }
});

test('once a provider has counted a request, the next ones are estimated within a tenth, however it counts', () => {
  const messages = samples.map(
    ({ name, text }, index): Message => ({
      id: name,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [{ id: 't', kind: 'text', text }],
      createdAt: 0,
    }),
  );
  for (const factor of [0.8, 1, 1.35]) {
    const meter = new TokenMeter();
    for (const [index] of messages.entries()) {
      const counted =
        factor * samples.slice(0, index + 1).reduce((sum, { counts }) => sum + (counts[0] ?? 0) + 4, 0);
      const sent = messages.slice(0, index + 1);
      const share = meter.estimate(sent, 0) / counted;
      // What the request before has shown is used for this one.
      if (index > 2) expect(Math.abs(share - 1)).toBeLessThan(0.1);
      meter.learn({ messages: sent, fixed: 0, counted });
    }
  }
});

test('a long text without any blanks costs no more than time', () => {
  const started = performance.now();
  expect(textEstimate('x'.repeat(1_000_000))).toBeGreaterThan(100_000);
  expect(performance.now() - started).toBeLessThan(3_000);
});
