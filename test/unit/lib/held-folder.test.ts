import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile } from '#lib/regular-file.ts';
import { removeFile, replaceFile } from '#lib/replace-file.ts';

let base: string;
const at = (name: string) => path.join(base, name);
const bytes = Buffer.from('new');

/** A link to the folder outside takes the place of the folder that was looked up. */
function swap(): void {
  renameSync(at('work'), at('moved'));
  symlinkSync(at('outside'), at('work'));
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'held-')));
  for (const folder of ['work', 'outside']) mkdirSync(at(folder));
  for (const file of ['work/a', 'outside/a']) writeFileSync(at(file), file);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('a folder that was exchanged for a link since its path was looked up', () => {
  it('is not written into', async () => {
    swap();
    const write = replaceFile(at('work/b'), bytes, { stats: undefined, confirm: async () => true });
    await expect(write).rejects.toMatchObject({ code: 'path-moved' });
    const deeper = replaceFile(at('work/x/y/b'), bytes, { stats: undefined, confirm: async () => true });
    await expect(deeper).rejects.toMatchObject({ code: 'path-moved' });
    expect(readdirSync(at('outside'))).toEqual(['a']);
  });

  it('gets nothing when that happens while the file is written', async () => {
    const confirm = async () => {
      swap();
      return true;
    };
    await replaceFile(at('work/b'), bytes, { stats: undefined, confirm });
    expect(readdirSync(at('outside'))).toEqual(['a']);
    expect(readFileSync(at('moved/b'), 'utf8')).toBe('new');
  });

  it('is not read and not removed from', async () => {
    const real = at('work/a');
    expect(await readRegularFile(real, { maxBytes: 100, real })).toMatchObject({
      bytes: Buffer.from('work/a'),
    });
    swap();
    expect(await readRegularFile(real, { maxBytes: 100, real })).toEqual({ kind: 'moved' });
    await expect(removeFile(real)).rejects.toMatchObject({ code: 'path-moved' });
    expect(existsSync(at('outside/a'))).toBe(true);
  });
});
