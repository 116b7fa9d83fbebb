import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPromptHistory } from '../../../src/app/session/prompt-history.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'llmcode-history-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const historyOf = (project: string) => createPromptHistory(home, { project: () => project });

test('a prompt is known by the project it was said in, and one of an older file everywhere', async () => {
  writeFileSync(path.join(home, 'history.jsonl'), '"said long ago"\n{"text":1}\nbroken\n');
  const shop = historyOf('/src/shop');
  for (const text of ['fix the total', 'both']) shop.add(text);
  await expect.poll(async () => (await shop.load()).texts.length).toBe(3);
  const blog = historyOf('/src/blog');
  blog.add('both');
  await expect.poll(async () => (await historyOf('/src/blog').load()).texts.length).toBe(4);
  expect(await historyOf('/src/blog').load()).toEqual({
    texts: ['said long ago', 'fix the total', 'both', 'both'],
    elsewhere: new Set(['fix the total']),
  });
  expect((await historyOf('/src/shop').load()).elsewhere).toEqual(new Set());
});
