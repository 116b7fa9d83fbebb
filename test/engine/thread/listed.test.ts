import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deleteThread } from '#engine/thread/keep-threads.ts';
import { findThread, listThreads } from '#engine/thread/store.ts';
import { projectKey } from '#lib/project-key.ts';
import type { ImagePart } from '#protocol/message.ts';
import { answer } from '../../support/engine/scripted-model.ts';
import { openTestThread } from '../../support/engine/test-thread.ts';

const logOf = (home: string, cwd: string, threadId: string) =>
  path.join(home, 'threads', projectKey(cwd), `${threadId}.jsonl`);
const resume = (threadId: string) => ({ kind: 'resume' as const, threadId });
const _fork = (threadId: string) => ({ kind: 'fork' as const, threadId });
const _pixel: ImagePart = {
  kind: 'image',
  id: 'i1',
  mediaType: 'image/png',
  name: 'shot.png',
  source: { kind: 'inline', base64: 'iVBORw0KGgo=' },
};

test('threads are listed newest first with title, name, model and number of messages', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('the first words\nof a long prompt');
  await first.close();
  const second = await openTestThread({ home: first.home, script: [answer('ok'), answer('ok')] });
  await second.prompt(`${'long '.repeat(20_000)}`);
  second.handle.submit({ kind: 'rename', name: 'Big one' });
  await second.prompt('x'.repeat(200_000));
  await second.close();
  const list = await listThreads(first.home, { cwd: first.cwd });
  expect(list).toMatchObject([
    { threadId: second.handle.threadId, name: 'Big one', messages: 4, model: 'test/scripted' },
    { threadId: first.handle.threadId, name: null, messages: 2, title: 'the first words of a long prompt' },
  ]);
  expect(list[0]?.title).toMatch(/^long long .*…$/);
  expect(await listThreads(first.home, { cwd: '/elsewhere' })).toEqual([]);
  expect(await listThreads(first.home)).toHaveLength(2);
});

test('a thread is found by id, by the start of its id and by name, and deleted with its files', async () => {
  const thread = await openTestThread({ script: [answer('ok')] });
  await thread.prompt('hi');
  thread.handle.submit({ kind: 'rename', name: 'The Fix' });
  await thread.next('thread-renamed');
  const id = thread.handle.threadId;
  const { home, cwd } = thread;
  await expect(deleteThread(home, id)).rejects.toMatchObject({ code: 'thread-locked' });
  await thread.close();
  for (const word of [id, id.slice(0, 12), 'the fix'])
    expect(await findThread(home, word, { cwd: '/elsewhere' })).toMatchObject({ threadId: id });
  await expect(findThread(home, 'nothing', { cwd })).rejects.toMatchObject({
    code: 'thread-not-found',
    message: expect.stringContaining(id),
  });
  await deleteThread(home, id);
  expect(readdirSync(path.dirname(logOf(home, cwd, id)))).toEqual([]);
});

test('a thread that no list shows is found by its whole id, or it is said what is wrong with it', async () => {
  const thread = await openTestThread({ script: [answer('ok')] });
  await thread.prompt('hi');
  await thread.close();
  const id = thread.handle.threadId;
  const { home, cwd } = thread;
  const file = logOf(home, cwd, id);
  const lines = readFileSync(file, 'utf8').split('\n');
  const firstMessage = lines.findIndex((line) => line.includes('"message-added"'));
  // As a crash leaves it that comes before the first message.
  writeFileSync(file, `${lines.slice(0, firstMessage).join('\n')}\n`);
  expect(await listThreads(home)).toEqual([]);
  expect(await findThread(home, id, { cwd })).toMatchObject({ threadId: id, cwd, messages: 0 });
  const again = await openTestThread({ home, cwd, origin: resume(id), script: [answer('ok')] });
  expect((await again.prompt('hi again')).reason).toBe('done');
  await again.close();
  writeFileSync(file, `broken${readFileSync(file, 'utf8')}`);
  await expect(findThread(home, id, { cwd })).rejects.toMatchObject({
    code: 'thread-damaged',
    message: expect.stringContaining(`${file}:1 is damaged`),
  });
});
