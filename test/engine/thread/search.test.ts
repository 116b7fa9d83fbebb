import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { indexThreads, searchThreads } from '#engine/thread/find-words.ts';
import { deleteThread } from '#engine/thread/keep-threads.ts';
import { findLog, listThreads } from '#engine/thread/store.ts';
import { answer, call, calls, think } from '../../support/engine/scripted-model.ts';
import { openTestThread } from '../../support/engine/test-thread.ts';
import { peekTool, text } from '../../support/engine/test-tools.ts';

const peek = peekTool({ run: async () => text('the listing says zanzibar-7 and nothing else') });
const reasoned = [...think('Perhaps the flux capacitor is loose.'), ...answer('It holds.')];

/** One thread in which a person, a model and a tool have said something. */
async function talk(home?: string, prompt = 'Why is the Größe of the invoice wrong? 合計を直す') {
  const thread = await openTestThread({
    ...(home === undefined ? {} : { home }),
    tools: [peek],
    script: [calls(call('peek', { path: 'notes.txt' })), reasoned, answer('Second answer about marmalade.')],
  });
  await thread.prompt(prompt);
  return thread;
}

const kindsOf = async (home: string, words: string, options = {}) => {
  const found = await searchThreads(home, words, options);
  return found?.flatMap(({ hits }) => hits.map(({ kind }) => kind));
};

test('words of the person, the model, its reasoning and the output of tools are found, and the log says where', async () => {
  const thread = await talk();
  const { home } = thread;
  expect(await searchThreads(home, 'zanzibar')).toEqual([]);
  expect(await indexThreads(home)).toMatchObject({ files: 1, ofFiles: 1 });
  expect(await kindsOf(home, 'invoice')).toEqual(['prompt']);
  expect(await kindsOf(home, 'zanzibar-7')).toEqual(['output']);
  expect(await kindsOf(home, 'capacitor')).toEqual(['reasoning']);
  expect(await kindsOf(home, 'it holds')).toEqual(['answer']);
  expect(await kindsOf(home, 'notes.txt')).toEqual(expect.arrayContaining(['call']));
  // The beginning of the last word, without accents, in a script without spaces.
  expect(await kindsOf(home, 'the capac')).toEqual(['reasoning']);
  expect(await kindsOf(home, 'capac loose')).toEqual([]);
  for (const word of ['grÖße', 'große']) expect(await kindsOf(home, word)).toEqual(['prompt']);
  expect(await kindsOf(home, '合計')).toEqual(['prompt']);
  expect(await kindsOf(home, '計合')).toEqual([]);
  expect(await kindsOf(home, '"invoice of"')).toEqual([]);
  expect(await kindsOf(home, '"of the invoice"')).toEqual(['prompt']);
  // Marks of the index's own language are words like others.
  expect(await kindsOf(home, 'invoice NEAR( OR * ^ "')).toEqual([]);
  expect(await searchThreads(home, '*** "" -')).toBe(undefined);
  const [found] = (await searchThreads(home, 'zanzibar')) ?? [];
  expect(found?.thread.threadId).toBe(thread.handle.threadId);
  expect(found?.hits[0]?.excerpt).toContain('says zanzibar-7 and');
});

test('what is said later is added, once, and what is deleted or written anew is no longer found', async () => {
  const thread = await talk();
  const { home } = thread;
  await indexThreads(home);
  await thread.prompt('and the marmalade?');
  await thread.close();
  expect(await kindsOf(home, 'marmalade')).toEqual([]);
  const more = await Promise.all([indexThreads(home), indexThreads(home)]);
  expect(more.every((done) => done !== undefined)).toBe(true);
  expect((await kindsOf(home, 'marmalade'))?.toSorted()).toEqual(['answer', 'prompt']);
  expect(await indexThreads(home)).toMatchObject({ ofFiles: 0 });

  // An older state of the log was put back.
  const log = await findLog(home, thread.handle.threadId);
  const lines = readFileSync(log, 'utf8').split('\n');
  const second = lines.findIndex((line) => line.includes('and the marmalade?'));
  writeFileSync(log, `${lines.slice(0, second).join('\n')}\n`);
  await indexThreads(home);
  expect(await kindsOf(home, 'marmalade')).toEqual([]);
  expect(await kindsOf(home, 'capacitor')).toEqual(['reasoning']);

  await deleteThread(home, thread.handle.threadId);
  expect(await searchThreads(home, 'invoice')).toEqual([]);
  await indexThreads(home);
  expect(await searchThreads(home, 'invoice')).toEqual([]);
});

test('threads are found in one project or in all, the newest first', async () => {
  const first = await talk();
  const { home } = first;
  await first.close();
  const second = await talk(home);
  await second.close();
  await indexThreads(home);
  const ids = (await searchThreads(home, 'invoice'))?.map(({ thread }) => thread.threadId);
  expect(ids).toEqual([second.handle.threadId, first.handle.threadId]);
  expect(await searchThreads(home, 'invoice', { limit: 1 })).toHaveLength(1);
  expect(await searchThreads(home, 'invoice', { cwd: first.cwd })).toHaveLength(2);
  expect(await searchThreads(home, 'invoice', { cwd: '/elsewhere' })).toEqual([]);
});

test('a damaged index is put aside and made anew; where none can be written there is none', async () => {
  const thread = await talk();
  const { home } = thread;
  await thread.close();
  await indexThreads(home);
  writeFileSync(path.join(home, 'state.db'), 'no database at all '.repeat(500));
  for (const end of ['-wal', '-shm']) writeFileSync(path.join(home, `state.db${end}`), 'x');
  await indexThreads(home);
  expect(await kindsOf(home, 'invoice')).toEqual(['prompt']);
  expect(existsSync(path.join(home, 'state.db.damaged'))).toBe(true);

  const other = await talk();
  await other.close();
  expect(readdirSync(other.home)).not.toContain('state.db');
  // What stands in its place is no file: nobody, root neither, makes an index there.
  mkdirSync(path.join(other.home, 'state.db'));
  expect(await indexThreads(other.home)).toBe(undefined);
  expect(await searchThreads(other.home, 'invoice')).toBe(undefined);
  expect(await listThreads(other.home)).toHaveLength(1);
});
