import { describe, expect, test } from 'vitest';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { listedModels, lookUp } from '#providers/catalogue/lookup.ts';
import { catalogue } from '#providers/catalogue/models.ts';
import { costOf } from '#providers/cost.ts';
import { wellKnown } from '#providers/well-known.ts';

describe('the catalogue', () => {
  test.each([
    ['claude-sonnet-4-5-20250929', 'anthropic', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.6', 'openrouter', 'claude-sonnet-4-6'],
    ['us.anthropic.claude-opus-4-8-v1:0', 'bedrock', 'claude-opus-4-8'],
    ['gpt-5-2025-08-07', 'openai', 'gpt-5'],
    ['qwen3-coder:30b', 'ollama', 'qwen3-coder'],
    ['Qwen/Qwen2.5-Coder-32B-Instruct', 'vllm', 'qwen2.5-coder'],
    ['openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b'],
  ])('knows %s at %s', (model, provider, id) => {
    expect(lookUp(model, provider)?.id).toBe(id);
  });

  test.each(['gpt-5-pro', 'gpt-5.9', 'claude-opus-6', 'deepseek-r1-distill-llama-70b', 'something-else'])(
    'does not take %s for another model',
    (model) => {
      expect(lookUp(model, 'openai')).toBeUndefined();
    },
  );

  test('offers models only for providers that exist, each once', () => {
    const ids = new Set(wellKnown.map((vendor) => vendor.id));
    for (const entry of catalogue) if (entry.vendor) expect(ids).toContain(entry.vendor);
    const keys = catalogue.map((entry) => `${entry.vendor ?? ''}/${entry.id}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const id of ids) expect(listedModels(id).length).toBeGreaterThan(0);
  });

  test('has sane values', () => {
    for (const entry of catalogue) {
      expect(entry.output).toBeLessThan(entry.window);
      if (entry.price) expect(entry.price.output).toBeGreaterThan(entry.price.input);
    }
  });
});

describe('the cost of a call', () => {
  const usage = {
    input: 1_000_000,
    output: 100_000,
    cacheRead: 800_000,
    cacheWrite: 100_000,
    reasoning: null,
  };
  const info = (part: Partial<ModelInfo>) => part as ModelInfo;

  test('counts cache reads and writes at their own prices', () => {
    const price = {
      value: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
      origin: 'config' as const,
    };
    expect(costOf(usage, info({ price }))).toBeCloseTo(1 + 0.8 + 1.25 + 5);
  });

  test('is unknown without a price or without usage, and nothing for a local model', () => {
    const price = { value: { input: 10, output: 50 }, origin: 'config' as const };
    expect(costOf(usage, info({}))).toBeNull();
    expect(costOf(null, info({ price }))).toBeNull();
    expect(costOf(null, info({ local: true }))).toBe(0);
  });
});
