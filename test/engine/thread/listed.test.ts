import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { archiveThread, deleteOldThreads, deleteThread } from '#engine/thread/keep-threads.ts';
import { writePeerThread } from '#engine/thread/peer-log.ts';
import { findThread, listThreads } from '#engine/thread/store.ts';
import { systemClock } from '#lib/clock.ts';
import { projectKey } from '#lib/project-key.ts';
import { answer } from '../../support/engine/scripted-model.ts';
import { openTestThread, tempFolder } from '../../support/engine/test-thread.ts';

const logOf = (home: string, cwd: string, threadId: string) =>
  path.join(home, 'threads', projectKey(cwd), `${threadId}.jsonl`);
const resume = (threadId: string) => ({ kind: 'resume' as const, threadId });
const dayMs = 86_400_000;

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

test('threads that nobody used for long are deleted; archived, open and young ones stay, and so does everything where the clock jumped', async () => {
  const start = Date.UTC(2026, 0, 1);
  const at = (days: number) => ({ ...systemClock, now: () => start + days * dayMs });
  const first = await openTestThread({ clock: at(0), script: [answer('ok')] });
  const { home } = first;
  await first.prompt('old');
  await first.close();
  const said = async (text: string, days: number) => {
    const thread = await openTestThread({ home, clock: at(days), script: [answer('ok')] });
    await thread.prompt(text);
    return thread;
  };
  const archived = await said('archived', 0);
  await archived.close();
  await archiveThread(home, archived.handle.threadId, { isArchived: true });
  const open = await said('open', 0);
  const young = await said('young', 30);
  await young.close();
  const titles = async () => (await listThreads(home)).map(({ title }) => title).toSorted();

  // A clock that is years ahead says nothing of how long the threads lay there.
  expect(await deleteOldThreads(home, { keepDays: 40, clock: at(4_000) })).toBe(0);
  expect(await deleteOldThreads(home, { keepDays: 29, clock: at(30) })).toBe(1);
  expect(await titles()).toEqual(['archived', 'open', 'young']);
  await open.close();
  expect(await deleteOldThreads(home, { keepDays: 29, clock: at(30) })).toBe(1);
  expect(await titles()).toEqual(['archived', 'young']);
});

test('an imported conversation stays however old it is, until it went on here', async () => {
  const home = await tempFolder();
  const days = (count: number) => Date.now() - count * dayMs;
  const message = {
    role: 'user' as const,
    at: days(90),
    parts: [{ kind: 'text' as const, text: 'long ago' }],
  };
  const conversation = { agent: 'claude', id: 'x', file: '/x.jsonl', cwd: '', messages: [message] };
  const options = { cwd: '/projects/shop', llmcodeVersion: '0', name: '' };
  const threadId = await writePeerThread(home, conversation, options);
  expect(await writePeerThread(home, conversation, options)).toBe(null);
  const now = await openTestThread({ home, script: [answer('ok')] });
  await now.prompt('today');
  await now.close();
  expect(await deleteOldThreads(home, { keepDays: 30, clock: systemClock })).toBe(0);
  expect((await listThreads(home)).map((thread) => thread.threadId)).toContain(threadId);
});
