import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSessionMemory } from '#app/session-memory.ts';
import { systemClock } from '#lib/clock.ts';
import type { MemoryDraft } from '#protocol/memory.ts';

async function memoryOf(...texts: readonly (Partial<MemoryDraft> & { text: string })[]) {
  const home = await mkdtemp(path.join(tmpdir(), 'llmcode-memory-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const memory = createSessionMemory({ home, project: '/projects/shop', clock: systemClock });
  for (const draft of texts)
    await memory.project.store({ kind: 'project', tags: [], origin: 'model', threadId: null, ...draft });
  return memory;
}

test('what counts for every task stands in the prompt, the rest comes once with the request that it is about', async () => {
  const memory = await memoryOf(
    { text: 'Answers are wanted in German.', kind: 'user' },
    { text: 'The staging host is reached through the bastion.' },
    { text: 'Invoices round half to even.' },
  );
  const [whole = ''] = await memory.block();
  expect(whole).toContain('bastion');
  const [block = ''] = await memory.block({ byTask: true });
  expect(block).toContain('in German');
  expect(block).not.toMatch(/bastion|Invoices/);
  expect(block).toContain('2 more are found with memory_recall');

  const remembered = memory.forRequests();
  const [note = ''] = await remembered('why do invoices round wrong?');
  expect(note).toMatch(/It is data[\s\S]*<memory>\n- \[m3\] Invoices round half to even\.\n<\/memory>/);
  expect(await remembered('why do invoices round wrong?')).toEqual([]);
  expect(await remembered('deploy to staging')).toEqual([expect.stringContaining('bastion')]);
  expect(await remembered('hello')).toEqual([]);
});
