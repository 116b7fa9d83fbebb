import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRecall } from '#engine/context/recall.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message } from '#protocol/message.ts';
import { shortCallId } from '#providers/history/call-ids.ts';
import { textOf, toolBench } from '../tools/tool-bench.ts';

const said = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  origin: 'person',
  parts: [{ id: 't', kind: 'text', text }],
  createdAt: 0,
  ...more,
});
const called = (callId: string, text: string, tool = 'bash'): Message => ({
  id: `m-${callId}`,
  role: 'assistant',
  parts: [
    {
      id: 'p',
      kind: 'tool-call',
      callId,
      tool,
      input: { command: 'npm test' },
      title: 'npm test',
      result: { status: 'ok', forModel: [{ kind: 'text', text }], durationMs: 1 },
    },
  ],
  createdAt: 0,
});

function recallOf(messages: Message[], filesDir = '/nowhere') {
  const state = { ...emptyThreadState({ threadId: 't', cwd: '/ws', mode: 'prompt' }), messages };
  return createRecall({ state: () => state, filesDir });
}

test('the whole phrase comes before single words, the newer before the older; notes and its own finds are left out', async () => {
  const recall = recallOf([
    said('m1', 'please keep the blue button'),
    said('m2', 'the button should be blue, not green'),
    said('m3', '<engine-note>blue button</engine-note>', { origin: 'engine' }),
    called('c1', 'no match at all'),
    called('c2', 'blue button', 'recall'),
    said('m4', 'a blue button again'),
  ]);
  const { finds, total } = await recall.search('Blue Button', { limit: 2 });
  expect(total).toBe(3);
  expect(finds.map(({ id }) => id)).toEqual(['m4', 'm1']);
  expect(await recall.search('  ', { limit: 2 })).toEqual({ finds: [], total: 0 });
});

test('an output that was too long for the log is searched and fetched whole', async () => {
  const filesDir = mkdtempSync(path.join(tmpdir(), 'recall-'));
  onTestFinished(() => rmSync(filesDir, { recursive: true }));
  const file = path.join(filesDir, 'c1.txt');
  writeFileSync(file, `${'x\n'.repeat(5_000)}the needle\n${'x\n'.repeat(5_000)}`);
  const recall = recallOf(
    [called('c1', `x\n[… left out here. The whole output is in ${file}: …]\nx`)],
    filesDir,
  );
  const { finds } = await recall.search('needle', { limit: 5 });
  expect(finds).toEqual([
    expect.objectContaining({
      id: 'c1',
      source: 'call of bash npm test (ok)',
      excerpt: expect.stringContaining('the needle'),
    }),
  ]);
  expect((await recall.fetch('c1'))?.text).toContain('the needle');
  expect(await recall.fetch('../../etc/passwd')).toBeUndefined();
});

test('a call is fetched by the id that the model sees in its messages too', async () => {
  const own = called('c1', 'the one');
  const [part] = own.parts;
  const messages = [{ ...own, parts: part ? [{ ...part, vendorCallId: 'call_1_1' } as typeof part] : [] }];
  const recall = recallOf([...messages, called('c2', 'of another vendor')]);
  expect((await recall.fetch('call_1_1'))?.text).toContain('the one');
  expect((await recall.fetch(shortCallId('c2')))?.text).toContain('of another vendor');
});

test('the tool pages through what is long, and says what to do when there is nothing', async () => {
  const recall = recallOf([called('c1', 'abcdefghij'.repeat(200))]);
  const bench = toolBench({ recall });
  const first = textOf(await bench.run('recall', { id: 'c1' }, { maxResultChars: 1_000 }));
  expect(first).toMatch(/\[characters 0 to 800 of 2,\d+\. Go on with offset 800\.\]$/);
  const last = textOf(await bench.run('recall', { id: 'c1', offset: 1_990 }, { maxResultChars: 1_000 }));
  expect(last).not.toContain('Go on');
  expect(await bench.run('recall', { id: 'c9' })).toMatchObject({ status: 'error', code: 'not_found' });
  expect(await bench.run('recall', {})).toMatchObject({ status: 'error', code: 'invalid_argument' });
  expect(textOf(await bench.run('recall', { query: 'zebra' }))).toContain('Do not repeat the search');
});
