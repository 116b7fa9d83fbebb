import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashBytes } from '#lib/file-hash.ts';
import { textOf, toolBench } from './tool-bench.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function benchWith(files: Record<string, string | Buffer>) {
  const bench = toolBench();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(bench.folder, name)), { recursive: true });
    writeFileSync(path.join(bench.folder, name), content);
  }
  return bench;
}

describe('read_file', () => {
  test('gives numbered lines, a summary and the state of the whole file', async () => {
    const bench = benchWith({ 'a.txt': 'one\r\ntwo\r\n' });
    expect(await bench.run('read_file', { path: 'a.txt' })).toEqual({
      status: 'ok',
      forModel: [{ kind: 'text', text: '1\tone\n2\ttwo' }],
      summary: '2 lines',
      fileStates: [
        { path: path.join(bench.folder, 'a.txt'), sha256: hashBytes(Buffer.from('one\r\ntwo\r\n')) },
      ],
    });
  });

  test('a part says where it lies and how to go on', async () => {
    const bench = benchWith({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const result = await bench.run('read_file', { path: 'a.txt', offset: '2', limit: 2 });
    expect(textOf(result)).toBe('2\t2\n3\t3\n[lines 2-3 of 5. Go on with offset 4.]');
    expect(result.summary).toBe('lines 2-3 of 5');
    expect(result.fileStates?.[0]?.sha256).toBe(hashBytes(Buffer.from('1\n2\n3\n4\n5\n')));
    const end = await bench.run('read_file', { path: 'a.txt', offset: 4 });
    expect(textOf(end)).toBe('4\t4\n5\t5\n[lines 4-5 of 5.]');
  });

  test.each([2_000, 9_000])(
    'what it gives fits into %i characters where a model takes no more',
    async (most) => {
      const bench = benchWith({ 'long.txt': 'some words\n'.repeat(50_000) });
      const fits = { maxResultChars: most };
      const result = textOf(await bench.run('read_file', { path: 'long.txt', offset: 20_000 }, fits));
      expect(result.length).toBeLessThanOrEqual(most);
      expect(result.length).toBeGreaterThan(most * 0.85);
      expect(result).toMatch(
        /^20000\tsome words\n[\s\S]*\n\[lines 20000-\d+ of 50,000\. Go on with offset \d+\.\]$/,
      );
    },
  );

  test('an offset past the end and an empty file are told apart', async () => {
    const bench = benchWith({ 'a.txt': '1\n', empty: '' });
    const past = await bench.run('read_file', { path: 'a.txt', offset: 9 });
    expect([past.status, textOf(past)]).toEqual([
      'error',
      'offset 9 is past the end of a.txt, which has 1 line.',
    ]);
    expect(textOf(await bench.run('read_file', { path: 'empty' }))).toBe('[empty is empty.]');
  });

  test('long files are cut at whole lines that fit a result', async () => {
    const bench = benchWith({ 'long.txt': `${'x'.repeat(99)}\n`.repeat(5_000) });
    const result = await bench.run('read_file', { path: 'long.txt' });
    expect(textOf(result).length).toBeLessThan(30_000);
    expect(textOf(result)).toMatch(/\n\[lines 1-\d+ of 5,000\. Go on with offset \d+\.\]$/);
  });

  test('one line of ten million characters does not hang', async () => {
    const bench = benchWith({ 'min.js': 'ab'.repeat(5_000_000) });
    const start = performance.now();
    const result = await bench.run('read_file', { path: 'min.js' });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(textOf(result)).toMatch(/^1\t(ab){1000} \[… line cut after 2000 characters\]$/);
  });

  test('a sparse file of 5 GB and a text of 60 MB are handled without reading all of them', async () => {
    const bench = benchWith({});
    const descriptor = openSync(path.join(bench.folder, 'sparse'), 'w');
    ftruncateSync(descriptor, 5_000_000_000);
    closeSync(descriptor);
    const sparse = await bench.run('read_file', { path: 'sparse' });
    expect([sparse.code, textOf(sparse).includes('binary')]).toEqual(['not_text', true]);

    spawnSync('bash', ['-c', 'seq 1 8000000 > big.log'], { cwd: bench.folder });
    const big = await bench.run('read_file', { path: 'big.log', offset: 7_000_000, limit: 2 });
    expect(textOf(big)).toBe(
      '[63 MB: too large to be edited here]\n7000000\t7000000\n7000001\t7000001\n[lines 7000000-7000001. Go on with offset 7000002.]',
    );
    expect(big.fileStates).toBeUndefined();
  });

  test('a picture becomes an image part, whatever its name', async () => {
    const bench = benchWith({ 'shot.txt': png });
    const result = await bench.run('read_file', { path: 'shot.txt' });
    expect(result.forModel[1]).toEqual({
      kind: 'image',
      mediaType: 'image/png',
      name: 'shot.txt',
      source: { kind: 'inline', base64: png.toString('base64') },
    });
    expect(result.view).toEqual({
      kind: 'image',
      mediaType: 'image/png',
      path: 'shot.txt',
      bytes: png.length,
    });
  });

  test('binary files are refused with what to do', async () => {
    const bench = benchWith({ 'a.bin': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]) });
    const result = await bench.run('read_file', { path: 'a.bin' });
    expect([result.status, result.code, textOf(result)]).toEqual([
      'error',
      'not_text',
      'a.bin is a binary file (8 B). Look into it with bash, e.g. file, xxd, strings, or a program for its type.',
    ]);
  });

  test('other encodings are read and named', async () => {
    const bench = benchWith({
      latin: Buffer.from('caf\xe9\n', 'latin1'),
      wide: Buffer.from('\ufeffwide\n', 'utf16le'),
      broken: Buffer.concat([Buffer.from('äöü'), Buffer.from([0xff])]),
    });
    expect(textOf(await bench.run('read_file', { path: 'latin' }))).toBe('[Encoding: windows-1252]\n1\tcafé');
    expect(textOf(await bench.run('read_file', { path: 'wide' }))).toBe('[Encoding: utf-16le]\n1\twide');
    expect(textOf(await bench.run('read_file', { path: 'broken' }))).toContain('1\täöü\ufffd');
  });

  test('folders, pipes, devices and links to nowhere end at once with advice', async () => {
    const bench = benchWith({ 'src/x.ts': '' });
    spawnSync('mkfifo', [path.join(bench.folder, 'pipe')]);
    symlinkSync('loop', path.join(bench.folder, 'loop'));
    const answers: unknown[] = [];
    for (const file of ['src', 'pipe', '/dev/zero', 'loop']) {
      const result = await bench.run('read_file', { path: file });
      answers.push([result.code, textOf(result)]);
    }
    expect(answers).toEqual([
      ['not_a_file', 'src is a folder, not a file. List it with list_directory, or name a file in it.'],
      [
        'not_a_file',
        'pipe is a named pipe (FIFO), not a regular file; it cannot be read. If you need what comes from it, take a bounded piece through bash, e.g. timeout 5 head -c 1000 pipe.',
      ],
      [
        'not_a_file',
        '/dev/zero is a device, not a regular file; it cannot be read. If you need what comes from it, take a bounded piece through bash, e.g. head -c 100 /dev/zero.',
      ],
      ['not_a_file', 'loop is a symbolic link that leads back to itself.'],
    ]);
  });

  test('a file in another encoding is refused by every tool, with the way to read and change it', async () => {
    const japanese = Buffer.from('834a834583938 35e82f0919d82e282b70a'.replace(' ', ''), 'hex');
    const bench = benchWith({ "it's.txt": japanese });
    const ctx = { requireRead: false };
    const path = "it's.txt";
    const results = [
      await bench.run('read_file', { path }),
      await bench.run('edit_file', { path, old_string: 'a', new_string: 'b' }, ctx),
      await bench.run('append_file', { path, content: 'a' }),
      await bench.run('apply_patch', {
        patch: `*** Begin Patch\n*** Update File: ${path}\n-a\n+b\n*** End Patch`,
      }),
    ];
    for (const result of results)
      expect([result.code, textOf(result)]).toEqual([
        'unsupported_encoding',
        expect.stringContaining("iconv -f SHIFT_JIS -t UTF-8 'it'\\''s.txt'"),
      ]);
  });

  test('after a cd the file of that name in the folder of the shell is named', async () => {
    const bench = benchWith({ 'packages/core/src/index.ts': '' });
    const ctx = { shellCwd: path.join(bench.folder, 'packages/core') };
    const gone = async (file: string) => textOf(await bench.run('read_file', { path: file }, ctx));
    const where = `The shell is in packages/core now, but the paths of file tools start at ${bench.folder}.`;
    expect(await gone('src/index.ts')).toContain(`${where} Did you mean packages/core/src/index.ts?`);
    expect(await gone('src/Index.tsx')).toContain(`${where} Did you mean packages/core/src/index.ts?`);
    expect(await gone('nothing.ts')).toContain(`${where} Find files`);
  });

  test('a missing file names what may have been meant', async () => {
    const bench = benchWith({ 'src/llm_code.ts': '', 'src/other.ts': '' });
    const near = await bench.run('read_file', { path: 'src/llm-code.ts' });
    expect(textOf(near)).toBe('There is no file src/llm-code.ts. Did you mean src/llm_code.ts?');
    const far = await bench.run('read_file', { path: 'lib/deep/x.ts' });
    expect(textOf(far)).toContain('Its folder does not exist either. Find files');
    const placed = await bench.run('read_file', { path: 'src/other.ts:42' });
    expect(textOf(placed)).toBe(
      'There is no file src/other.ts:42. Did you mean src/other.ts with offset 42?',
    );
    const deep = await bench.run('read_file', { path: 'src/deep/x.ts' });
    expect(textOf(deep)).toContain('Its folder does not exist either; src does.');
  });

  test('a file named like a folder is refused by every tool that reads', async () => {
    const bench = benchWith({ 'src/a.ts': 'x\n' });
    const answers: unknown[] = [];
    for (const [tool, input] of [
      ['read_file', {}],
      ['list_directory', {}],
      ['grep_search', { pattern: 'x' }],
    ] as const) {
      const result = await bench.run(tool, { ...input, path: 'src/a.ts/' });
      answers.push([result.code, textOf(result)]);
    }
    expect(answers).toEqual([
      ['not_a_folder', 'src/a.ts is a file, not a folder. Leave out the / at its end.'],
      ['not_a_folder', 'src/a.ts is a file, not a folder. Read it with read_file.'],
      ['not_a_folder', 'src/a.ts is a file, not a folder. Leave out the / at its end.'],
    ]);
    expect((await bench.run('list_directory', { path: 'src/' })).status).toBe('ok');
    expect((await bench.run('grep_search', { path: 'src/', pattern: 'x' })).summary).toContain('1 hit');
  });

  test('names with newlines and a path from home work', async () => {
    const bench = benchWith({ 'we\nird.txt': 'x\n' });
    expect(textOf(await bench.run('read_file', { path: 'we\nird.txt' }))).toBe('1\tx');
    expect(bench.tool('read_file').touches({ path: '~/x' }, { cwd: '/w', roots: ['/w'] })[0]).toMatchObject({
      path: expect.stringMatching(/^\/.*\/x$/),
    });
  });

  test.each([[''], ['a\0b'], ['x'.repeat(300)], ['a/'.repeat(3_000)], ['\ud800']])(
    'a path that cannot be one is refused before anything is opened (%#)',
    (file) => {
      expect(toolBench().tool('read_file').input.safeParse({ path: file }).success).toBe(false);
    },
  );
});
