import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ThreadLog } from '#engine/thread/log.ts';
import { type LogFile, openLogFile } from '#engine/thread/log-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-log-'));
let files = 0;
const newPath = () => path.join(folder, `${files++}`, 'thread.jsonl');

/** A disk in memory that takes `room` bytes more and then fails in mid-write. */
function smallDisk(room: number) {
  let bytes = Buffer.alloc(0);
  const disk = {
    room,
    canCut: true,
    text: () => bytes.toString(),
    file: {
      append: (more) => {
        const fits = more.subarray(0, disk.room);
        bytes = Buffer.concat([bytes, fits]);
        disk.room -= fits.length;
        if (fits.length < more.length) throw new Error('ENOSPC: no space left on device');
      },
      truncate: (length) => {
        if (!disk.canCut) throw new Error('EIO');
        bytes = bytes.subarray(0, length);
      },
      sync: async () => undefined,
      bringBack: () => false,
      close: () => undefined,
    } satisfies LogFile,
  };
  return disk;
}

function logOn(disk: ReturnType<typeof smallDisk>) {
  const told: string[] = [];
  const log = new ThreadLog({
    open: () => disk.file,
    length: 0,
    backlog: ['header'],
    onTrouble: (text) => told.push(text),
    onRecovery: () => told.push('fine'),
    onRestored: () => undefined,
  });
  return { log, told };
}

test('nothing is written before the log is begun', async () => {
  const file = newPath();
  const log = new ThreadLog({
    open: () => openLogFile(file),
    length: 0,
    backlog: ['header'],
    onTrouble: () => undefined,
    onRecovery: () => undefined,
    onRestored: () => undefined,
  });
  log.append('one');
  log.flush();
  expect(() => statSync(file)).toThrow();
  log.begin();
  log.append('two');
  log.flush();
  expect(readFileSync(file, 'utf8')).toBe('header\none\ntwo\n');
  await log.close();
});

test('only the owner may read a log and its folder', async () => {
  const file = newPath();
  openLogFile(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test('what was appended waits until it is settled, and then is on the disk', () => {
  const disk = smallDisk(1_000);
  const { log } = logOn(disk);
  log.begin();
  log.append('one');
  expect(disk.text()).toBe('');
  log.settle();
  expect(disk.text()).toBe('header\none\n');
});

test('a disk in trouble is asked again by a flush and not for each line', () => {
  const disk = smallDisk(12);
  const { log, told } = logOn(disk);
  log.begin();
  for (const line of ['one', 'two', 'three']) {
    log.append(line);
    log.settle();
  }
  disk.room = 1_000;
  log.settle();
  expect(disk.text()).toBe('header\none\n');
  log.flush();
  expect(disk.text()).toBe('header\none\ntwo\nthree\n');
  expect(told).toEqual(['ENOSPC: no space left on device', 'fine']);
});

test('bytes behind the good length are cut away before the first append', async () => {
  const file = newPath();
  openLogFile(file).close();
  writeFileSync(file, 'header\none\n{"broken');
  const log = new ThreadLog({
    open: () => openLogFile(file),
    length: 'header\none\n'.length,
    backlog: [],
    onTrouble: () => undefined,
    onRecovery: () => undefined,
    onRestored: () => undefined,
  });
  log.begin();
  expect(readFileSync(file, 'utf8')).toContain('broken');
  log.append('two');
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe('header\none\ntwo\n');
});

test('a full disk is told once, leaves no half line, and nothing is lost when there is room again', async () => {
  const disk = smallDisk(12);
  const { log, told } = logOn(disk);
  log.begin();
  log.append('one');
  log.flush();
  log.append('two');
  log.flush();
  log.append('three');
  log.flush();
  expect(disk.text()).toBe('header\none\n');
  expect(told).toEqual(['ENOSPC: no space left on device']);
  disk.room = 1_000;
  await log.sync();
  expect(disk.text()).toBe('header\none\ntwo\nthree\n');
  expect(told).toEqual(['ENOSPC: no space left on device', 'fine']);
});

test('when the half line cannot be cut at once, the next append cuts it first', () => {
  const disk = smallDisk(12);
  const { log } = logOn(disk);
  log.begin();
  log.append('one');
  log.flush();
  disk.canCut = false;
  log.append('two');
  log.flush();
  expect(disk.text()).toBe('header\none\nt');
  disk.canCut = true;
  disk.room = 1_000;
  log.flush();
  expect(disk.text()).toBe('header\none\ntwo\n');
});

test('a log that cannot be opened is told once and keeps its lines', async () => {
  const told: string[] = [];
  let isOpenable = false;
  const disk = smallDisk(1_000);
  const log = new ThreadLog({
    open: () => {
      if (!isOpenable) throw new Error('EROFS');
      return disk.file;
    },
    length: 0,
    backlog: ['header'],
    onTrouble: (text) => told.push(text),
    onRecovery: () => told.push('fine'),
    onRestored: () => undefined,
  });
  log.begin();
  log.append('one');
  log.flush();
  await log.sync();
  expect(told).toEqual(['EROFS']);
  isOpenable = true;
  await log.close();
  expect(disk.text()).toBe('header\none\n');
});

test('a log that somebody deletes or moves away is written again, whole, at the next flush', async () => {
  const file = newPath();
  const told: string[] = [];
  const log = new ThreadLog({
    open: () => openLogFile(file),
    length: 0,
    backlog: ['header'],
    onTrouble: (text) => told.push(text),
    onRecovery: () => told.push('fine'),
    onRestored: () => told.push('restored'),
  });
  log.begin();
  log.append('one');
  log.flush();
  rmSync(path.dirname(file), { recursive: true });
  log.append('two');
  log.settle();
  await log.sync();
  expect(readFileSync(file, 'utf8')).toBe('header\none\ntwo\n');
  renameSync(file, `${file}.away`);
  log.append('three');
  await log.sync();
  expect(readFileSync(file, 'utf8')).toBe('header\none\ntwo\nthree\n');
  expect(told).toEqual(['restored', 'restored']);
  rmSync(file);
  await log.close();
  expect(() => statSync(file)).toThrow();
});

test('a deleted log that cannot be written again waits for the next flush', async () => {
  const file = newPath();
  const told: string[] = [];
  const log = new ThreadLog({
    open: () => openLogFile(file),
    length: 0,
    backlog: ['header'],
    onTrouble: () => told.push('trouble'),
    onRecovery: () => told.push('fine'),
    onRestored: () => told.push('restored'),
  });
  log.begin();
  log.flush();
  rmSync(path.dirname(file), { recursive: true });
  writeFileSync(path.dirname(file), 'in the way');
  log.append('one');
  log.flush();
  rmSync(path.dirname(file));
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe('header\none\n');
  expect(told).toEqual(['trouble', 'restored', 'fine']);
});
