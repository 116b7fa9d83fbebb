import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '#lib/make-folder.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { replaceFile } from '#lib/replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const yes = async () => true;

test('reads files of unknown size and refuses what is too large', async () => {
  const proc = await readRegularFile('/proc/self/status', { maxBytes: 100_000 });
  expect('stats' in proc && proc.bytes.includes('Name:')).toBe(true);
  writeFileSync(path.join(folder, 'a'), 'x'.repeat(100));
  expect(await readRegularFile(path.join(folder, 'a'), { maxBytes: 99 })).toEqual({
    kind: 'too-large',
    bytes: 100,
  });
  expect(await readRegularFile(path.join(folder, 'a'), { maxBytes: 100 })).toMatchObject({
    bytes: Buffer.from('x'.repeat(100)),
  });
});

test('never waits for a pipe, a socket, a device or a link to itself', async () => {
  const inFolder = (name: string) => path.join(folder, name);
  spawnSync('mkfifo', [inFolder('pipe')]);
  symlinkSync('loop', inFolder('loop'));
  const server = createServer().listen(inFolder('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  const kinds: unknown[] = [];
  for (const file of [
    inFolder('pipe'),
    inFolder('socket'),
    '/dev/zero',
    inFolder('loop'),
    folder,
    inFolder('none'),
  ]) {
    const result = await readRegularFile(file, { maxBytes: 1_000 });
    kinds.push('kind' in result ? result.kind : result);
  }
  server.close();
  expect(kinds).toEqual(['special', 'special', 'special', 'loop', 'folder', 'missing']);
});

test('a replaced file keeps its mode and leaves nothing beside it', async () => {
  const file = path.join(folder, 'run.sh');
  writeFileSync(file, 'old');
  chmodSync(file, 0o751);
  expect(await replaceFile(file, Buffer.from('new'), { stats: statSync(file), confirm: yes })).toBe(true);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o7777]).toEqual(['new', 0o751]);
  expect(readdirSync(folder)).toEqual(['run.sh']);
});

test('a refusal at the last moment leaves everything as it was', async () => {
  const file = path.join(folder, 'a');
  writeFileSync(file, 'old');
  expect(
    await replaceFile(file, Buffer.from('new'), { stats: statSync(file), confirm: async () => false }),
  ).toBe(false);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['a']]);
});

test('makes the folders of a new file', async () => {
  await replaceFile(path.join(folder, 'x/y/z'), Buffer.from('new'), { stats: undefined, confirm: yes });
  expect(readFileSync(path.join(folder, 'x/y/z'), 'utf8')).toBe('new');
});

test('a full disk changes nothing', async (context) => {
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', disk]);
  if (mounted.status !== 0) return context.skip('mounting a small disk is not allowed here');
  try {
    const file = path.join(disk, 'a');
    writeFileSync(file, 'old');
    const writing = replaceFile(file, Buffer.alloc(1_000_000), { stats: statSync(file), confirm: yes });
    await expect(writing).rejects.toMatchObject({ code: 'ENOSPC' });
    expect([readFileSync(file, 'utf8'), readdirSync(disk)]).toEqual(['old', ['a']]);
  } finally {
    spawnSync('umount', [disk]);
  }
});

test('a mount point, which cannot be replaced, is rewritten in place', async (context) => {
  const file = path.join(folder, 'a');
  const other = path.join(folder, 'b');
  writeFileSync(file, 'old and longer');
  writeFileSync(other, 'old and longer');
  if (spawnSync('mount', ['--bind', other, file]).status !== 0)
    return context.skip('mounting is not allowed here');
  try {
    expect(await replaceFile(file, Buffer.from('new'), { stats: statSync(file), confirm: yes })).toBe(true);
    expect([readFileSync(other, 'utf8'), readdirSync(folder).sort()]).toEqual(['new', ['a', 'b']]);
  } finally {
    spawnSync('umount', [file]);
  }
});

test('a folder is made private with those above it, and what is in the way is named', () => {
  const deep = path.join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'a')).mode & 0o777).toBe(0o700);
  writeFileSync(path.join(folder, 'file'), '');
  expect(() => makeFolder(path.join(folder, 'file', 'x', 'y'))).toThrow('ENOTDIR');
  if (process.platform === 'linux') expect(() => makeFolder('/proc/llmcode/x')).toThrow('ENOENT');
});
