import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lockHolder, lockThread } from '#engine/thread/lock.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-lock-'));
let files = 0;
const newPath = () => path.join(folder, `${files++}.lock`);
const lock = (file: string) => lockThread(file, { threadId: 'T1' });

/** Another process that takes the lock and then waits; resolves when it has it. */
async function lockElsewhere(file: string) {
  const code = `
    const { lockThread } = await import('#engine/thread/lock.ts');
    lockThread(${JSON.stringify(file)}, { threadId: 'T1' });
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: projectRoot });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    exited.then(() => Promise.reject(new Error(stderr))),
  ]);
  return {
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('a lock is given back and leaves nothing behind', () => {
  const file = newPath();
  lock(file).release();
  expect(existsSync(file)).toBe(false);
  lock(file).release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a second writer is told who has the thread and how to go on in a copy', () => {
  const file = newPath();
  const held = lock(file);
  expect(() => lock(file)).toThrow(`process ${process.pid}`);
  expect(() => lock(file)).toThrow('llmcode --resume T1 --fork');
  held.release();
});

test('the lock of a living process stands, that of a killed one is taken over', async () => {
  const file = newPath();
  const other = await lockElsewhere(file);
  expect(() => lock(file)).toThrow(`process ${other.pid}`);
  expect(lockHolder(file)).toMatchObject({ pid: other.pid });
  await other.kill();
  expect(lockHolder(file)).toBeUndefined();
  lock(file).release();
});

test('a lock whose process number belongs to another process by now is taken over', () => {
  const file = newPath();
  const held = lock(file);
  const owner = JSON.parse(readFileSync(file, 'utf8'));
  held.release();
  writeFileSync(file, JSON.stringify({ ...owner, start: 'ticks 1', token: 'old' }));
  lock(file).release();
});

test('the lock of another machine stands, and the message names the file', () => {
  const file = newPath();
  writeFileSync(file, JSON.stringify({ pid: 1, start: 'ticks 1', host: `not-${hostname()}`, token: 'x' }));
  expect(() => lock(file)).toThrow(`delete ${file}`);
});

test('a lock file that holds rubbish is taken over', () => {
  const file = newPath();
  writeFileSync(file, '');
  lock(file).release();
});

test('giving back does not touch a lock that is no longer ours', () => {
  const file = newPath();
  const held = lock(file);
  const foreign = JSON.stringify({ pid: 1, start: 'x', host: hostname(), token: 'theirs' });
  writeFileSync(file, foreign);
  held.release();
  expect(readFileSync(file, 'utf8')).toBe(foreign);
});
