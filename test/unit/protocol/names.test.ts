import { expect, test } from 'vitest';
import { isDelta } from '#protocol/is-delta.ts';
import { formatModelRef, parseModelRef } from '#protocol/model-ref-text.ts';
import { nextMode, parsePermissionMode, permissionModes } from '#protocol/permission-mode.ts';
import { addUsage, emptyTotals } from '#protocol/usage-totals.ts';

test('a model reference is read and written the same way', () => {
  for (const text of ['ollama/qwen3-coder:30b', 'openrouter/anthropic/claude', 'openai/gpt#high', 'x/y#z'])
    expect(parseModelRef(text) && formatModelRef(parseModelRef(text) ?? { provider: '', model: '' })).toBe(
      text === 'x/y#z' ? undefined : text,
    );
  expect(parseModelRef('openai/gpt#high')).toEqual({ provider: 'openai', model: 'gpt', effort: 'high' });
  expect(parseModelRef('no-provider')).toBeUndefined();
  expect(parseModelRef('provider/')).toBeUndefined();
});

test('modes are known by their names and the names that other agents use', () => {
  for (const mode of permissionModes) expect(parsePermissionMode(mode)).toBe(mode);
  expect(parsePermissionMode('acceptEdits')).toBe('workspace_write');
  expect(parsePermissionMode('bypassPermissions')).toBe('full_access');
  expect(parsePermissionMode('constructor')).toBeUndefined();
});

test('Shift+Tab steps through four modes and comes in from the others', () => {
  expect(nextMode('plan')).toBe('prompt');
  expect(nextMode('auto_accept')).toBe('plan');
  expect(nextMode('full_access')).toBe('plan');
});

test('only what may be lost is a delta', () => {
  expect(isDelta({ kind: 'text-delta' })).toBe(true);
  expect(isDelta({ kind: 'tool-run-progress' })).toBe(true);
  expect(isDelta({ kind: 'text-end' })).toBe(false);
  expect(isDelta({ kind: 'thread-snapshot' })).toBe(false);
});

test('a cost that is not known is marked and not counted as free', () => {
  const usage = { input: 10, output: null, cacheRead: null, cacheWrite: null, reasoning: null };
  const priced = addUsage(emptyTotals, usage, 0.5);
  expect(priced).toMatchObject({ input: 10, output: 0, costUsd: 0.5, unpriced: false });
  expect(addUsage(priced, usage, null)).toMatchObject({ input: 20, costUsd: 0.5, unpriced: true });
});
