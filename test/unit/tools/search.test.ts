import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GrepRequest } from '#tools/search/grep-hits.ts';
import { grepWithRipgrep } from '#tools/search/grep-with-ripgrep.ts';
import { grepWithoutRipgrep } from '#tools/search/grep-without-ripgrep.ts';
import { listFiles, listWithoutRipgrep } from '#tools/search/list-files.ts';
import { findRipgrep } from '#tools/search/ripgrep.ts';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

const tree: Record<string, string | Buffer> = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  '.github/ci.yml': 'needle: hidden\n',
  '.git/config': 'needle in git\n',
  'README.md': 'one\nneedle two\nthree\nfour\nneedle five\n',
  'src/a.ts': 'const needle = 1;\r\nconst other = 2;\r\n',
  'src/deep/b.tsx': 'nothing\n',
  'src/deep/we\nird.ts': 'needle\n',
  'src/.gitignore': '/gen\n',
  'src/gen/g.ts': 'needle generated\n',
  'dist/out.ts': 'needle built\n',
  'x.log': 'needle log\n',
  'keep.log': 'needle kept\n',
  'data.bin': Buffer.from('needle\0binary'),
};

function benchWithTree(): ToolBench {
  const bench = toolBench();
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(path.dirname(path.join(bench.folder, name)), { recursive: true });
    writeFileSync(path.join(bench.folder, name), content);
  }
  return bench;
}

const visible = [
  '.github/ci.yml',
  '.gitignore',
  'README.md',
  'data.bin',
  'keep.log',
  'src/.gitignore',
  'src/a.ts',
  'src/deep/b.tsx',
  'src/deep/we\nird.ts',
];

describe('both engines', () => {
  test('list the same files, without what ignore files exclude', async () => {
    const bench = benchWithTree();
    symlinkSync('..', path.join(bench.folder, 'src/loop'));
    const listed: Record<string, string[]> = { ripgrep: [], javascript: [] };
    await listFiles(bench.folder, bench.ctx, (file) => listed['ripgrep']?.push(file));
    await listWithoutRipgrep(bench.folder, {
      ctx: bench.ctx,
      onFile: (file) => listed['javascript']?.push(file),
    });
    expect(await findRipgrep()).toMatch(/rg$/);
    expect(listed['ripgrep']?.sort()).toEqual(visible);
    expect(listed['javascript']?.sort()).toEqual(visible);
  });

  test('obey ignore files above the folder that is searched', async () => {
    const bench = benchWithTree();
    const listed: string[][] = [[], []];
    const folder = path.join(bench.folder, 'src');
    await listFiles(folder, bench.ctx, (file) => listed[0]?.push(file));
    await listWithoutRipgrep(folder, { ctx: bench.ctx, onFile: (file) => listed[1]?.push(file) });
    writeFileSync(path.join(folder, 'y.log'), '');
    expect(listed[0]?.sort()).toEqual(['.gitignore', 'a.ts', 'deep/b.tsx', 'deep/we\nird.ts']);
    expect(listed[1]?.sort()).toEqual(listed[0]);
  });

  test.each([
    ['plain', {}],
    ['with context', { context: 1 }],
    ['any case', { pattern: 'NEEDLE', ignoreCase: true }],
    ['over lines', { pattern: 'two\\nthree' }],
    ['with look-behind', { pattern: '(?<=const )needle' }],
    ['names of files', { mode: 'files_with_matches' as const }],
    ['counts', { mode: 'count' as const }],
    ['one file', { file: 'README.md' }],
    ['filtered', { matches: (file: string) => file.endsWith('.ts'), nameGlob: '*.ts' }],
    ['nothing', { pattern: 'nowhere' }],
  ])('find the same: %s', async (_name, change) => {
    const bench = benchWithTree();
    const request: GrepRequest = {
      pattern: 'needle',
      folder: bench.folder,
      at: 'file' in change ? path.join(bench.folder, change.file) : bench.folder,
      file: undefined,
      matches: () => true,
      nameGlob: undefined,
      context: 0,
      ignoreCase: false,
      mode: 'content',
      ...change,
    };
    const program = await findRipgrep();
    const fast = await grepWithRipgrep(program ?? '', request, bench.ctx);
    expect(fast).toEqual(await grepWithoutRipgrep(request, bench.ctx));
    expect(fast?.kind).toBe('found');
  });

  test('stop when there are hits enough', async () => {
    const bench = toolBench();
    writeFileSync(path.join(bench.folder, 'many.txt'), 'needle\n'.repeat(200_000));
    const result = await bench.run('grep_search', { pattern: 'needle' });
    expect(result.summary).toBe('5,000+ hits in 1 file');
    expect(textOf(result)).toContain('the first 100 are shown. The search stopped at 5,000 hits.');
  });
});

describe('glob_search', () => {
  test('gives the newest first and respects ignore files', async () => {
    const bench = benchWithTree();
    utimesSync(path.join(bench.folder, 'src/deep/b.tsx'), 2_000_000_000, 2_000_000_000);
    utimesSync(path.join(bench.folder, 'src/a.ts'), 1_900_000_000, 1_900_000_000);
    const result = await bench.run('glob_search', { pattern: '**/*.{ts,tsx}' });
    expect(result).toMatchObject({
      status: 'ok',
      summary: '3 files',
      view: { kind: 'files', total: 3 },
      forModel: [{ text: 'src/deep/b.tsx\nsrc/a.ts\nsrc/deep/we\\nird.ts' }],
    });
  });

  test('a pattern with folders is anchored, a bare name is not', async () => {
    const bench = benchWithTree();
    expect(textOf(await bench.run('glob_search', { pattern: 'src/*.ts' }))).toBe('src/a.ts');
    expect(textOf(await bench.run('glob_search', { pattern: 'b.tsx' }))).toBe('src/deep/b.tsx');
    expect(textOf(await bench.run('glob_search', { pattern: 'deep/*', path: 'src' }))).toContain('b.tsx');
    const absolute = await bench.run('glob_search', { pattern: `${bench.folder}/src/*.ts` });
    expect(textOf(absolute)).toBe('src/a.ts');
  });

  test('says how many were left out', async () => {
    const bench = toolBench();
    for (let number = 0; number < 130; number += 1)
      writeFileSync(path.join(bench.folder, `${number}.txt`), '');
    const result = await bench.run('glob_search', { pattern: '*.txt' });
    expect(textOf(result)).toMatch(/\n\[The newest 100 of 130 files\. Narrow the pattern or the path/);
    expect(result.summary).toBe('130 files');
  });

  test('declares the folder that it really walks', () => {
    const { touches } = toolBench().tool('glob_search');
    const scope = { cwd: '/w', roots: ['/w'] };
    expect(touches({ pattern: '../out/*.ts' }, scope)).toEqual([
      { kind: 'path', path: '/out', access: 'read' },
    ]);
    expect(touches({ pattern: '/etc/**/x' }, scope)).toEqual([
      { kind: 'path', path: '/etc', access: 'read' },
    ]);
    expect(touches({ pattern: '*.ts', path: 'src' }, scope)).toEqual([
      { kind: 'path', path: '/w/src', access: 'read' },
    ]);
  });

  test('nothing, a file and a missing folder each have their text', async () => {
    const bench = benchWithTree();
    expect(textOf(await bench.run('glob_search', { pattern: '*.rs' }))).toContain('No file matches *.rs');
    expect((await bench.run('glob_search', { pattern: '*', path: 'README.md' })).code).toBe('not_a_folder');
    for (const pattern of ['src', 'src/'])
      expect(textOf(await bench.run('glob_search', { pattern }))).toBe(
        `${pattern} is a folder. List it with list_directory, or search in it: src/**`,
      );
    const missing = await bench.run('glob_search', { pattern: '*', path: 'nowhere' });
    expect([missing.code, textOf(missing)]).toEqual([
      'file_missing',
      'There is no file or folder nowhere. Find files with glob_search.',
    ]);
  });
});

describe('grep_search', () => {
  test('groups hits by file with line numbers', async () => {
    const bench = benchWithTree();
    const result = await bench.run('grep_search', { pattern: 'needle', '-n': true });
    expect(textOf(result)).toBe(
      [
        '.github/ci.yml\n1:needle: hidden',
        'README.md\n2:needle two\n5:needle five',
        'keep.log\n1:needle kept',
        'src/a.ts\n1:const needle = 1;',
        'src/deep/we\\nird.ts\n1:needle',
      ].join('\n\n'),
    );
    expect(result.summary).toBe('6 hits in 5 files');
  });

  test('shows context and marks gaps', async () => {
    const bench = benchWithTree();
    const result = await bench.run('grep_search', { pattern: 'needle', path: 'README.md', context: 1 });
    expect(textOf(result)).toBe('README.md\n1-one\n2:needle two\n3-three\n4-four\n5:needle five');
    const narrow = await bench.run('grep_search', { pattern: 'one|five', path: 'README.md', context: '1' });
    expect(textOf(narrow)).toBe('README.md\n1:one\n2-needle two\n--\n4-four\n5:needle five');
  });

  test('filters by glob without looking into ignored files', async () => {
    const bench = benchWithTree();
    const names = async (glob: string) =>
      textOf(await bench.run('grep_search', { pattern: 'needle', glob, output_mode: 'files_with_matches' }));
    expect(await names('*.ts')).toBe('src/a.ts\nsrc/deep/we\\nird.ts');
    expect(await names('**/*')).toBe('.github/ci.yml\nREADME.md\nkeep.log\nsrc/a.ts\nsrc/deep/we\\nird.ts');
    expect(await names('src/*.ts')).toBe('src/a.ts');
    expect(await names('**/deep/**')).toBe('src/deep/we\\nird.ts');
    expect(await names('*.{md,log}')).toBe('README.md\nkeep.log');
  });

  test('a glob that came as the path is one', async () => {
    const bench = benchWithTree();
    const asked = await bench.run('grep_search', { pattern: 'needle', path: 'src/**/*.ts' });
    expect(asked).toEqual(await bench.run('grep_search', { pattern: 'needle', glob: 'src/**/*.ts' }));
    const { touches } = bench.tool('grep_search');
    expect(touches({ pattern: 'x', path: 'src/**/*.ts' }, { cwd: '/w', roots: ['/w'] })).toEqual([
      { kind: 'path', path: '/w/src', access: 'read' },
    ]);
  });

  test('says what the limit cut', async () => {
    const bench = benchWithTree();
    const result = await bench.run('grep_search', { pattern: 'needle', limit: 2 });
    expect(textOf(result)).toBe(
      '.github/ci.yml\n1:needle: hidden\n\nREADME.md\n2:needle two\n[6 hits in 5 files; the first 2 are shown. Narrow pattern, path or glob, or raise limit.]',
    );
  });

  test('counts', async () => {
    const bench = benchWithTree();
    const result = await bench.run('grep_search', { pattern: 'needle', output_mode: 'count', glob: '*.md' });
    expect([textOf(result), result.summary]).toEqual(['README.md:2', '2 hits in 1 file']);
  });

  test('cuts long lines and skips binary files', async () => {
    const bench = toolBench();
    writeFileSync(path.join(bench.folder, 'min.js'), `${'x'.repeat(5_000_000)}needle`);
    writeFileSync(path.join(bench.folder, 'data.bin'), Buffer.from('needle\0binary'));
    const result = await bench.run('grep_search', { pattern: 'needle' });
    expect(result.summary).toBe('1 hit in 1 file');
    expect(textOf(result).length).toBeLessThan(1_000);
  });

  test('a broken pattern is explained, an empty result discourages repeating', async () => {
    const bench = benchWithTree();
    const broken = await bench.run('grep_search', { pattern: '(needle' });
    expect([broken.code, textOf(broken)]).toEqual([
      'invalid_argument',
      'pattern is no valid regular expression: unclosed group. Escape special characters with \\ to search for them.',
    ]);
    const nothing = await bench.run('grep_search', { pattern: 'nowhere', path: 'src' });
    expect(textOf(nothing)).toContain('Nothing matches in src.');
  });

  test('patterns and globs that look like options are no options', async () => {
    const bench = toolBench();
    writeFileSync(path.join(bench.folder, '-x.txt'), '--files\n');
    const result = await bench.run('grep_search', { pattern: '--files', path: '-x.txt' });
    expect(textOf(result)).toBe('-x.txt\n1:--files');
  });

  test('an interrupt ends the search', async () => {
    const bench = benchWithTree();
    bench.abort.abort();
    expect((await bench.run('grep_search', { pattern: 'needle' })).status).toBe('aborted');
    expect((await bench.run('glob_search', { pattern: '*' })).status).toBe('aborted');
  });
});

describe('list_directory', () => {
  test('folders first, sizes, links, odd names on one line', async () => {
    const bench = benchWithTree();
    symlinkSync('nowhere', path.join(bench.folder, 'link'));
    const result = await bench.run('list_directory', { ignore: '.git*' });
    expect(textOf(result)).toBe(
      'dist/\nsrc/\nREADME.md  38 B\ndata.bin  13 B\nkeep.log  12 B\nlink  -> nowhere\nx.log  11 B',
    );
    expect(textOf(await bench.run('list_directory', { path: 'src/deep' }))).toBe(
      'b.tsx  8 B\nwe\\nird.ts  7 B',
    );
    expect(result.summary).toBe('7 entries');
  });

  test('says what the limit left out', async () => {
    const bench = benchWithTree();
    const result = await bench.run('list_directory', { path: 'src', limit: '2' });
    expect(textOf(result)).toBe(
      'deep/\ngen/\n[2 more entries left out. Raise limit, or search with glob_search.]',
    );
  });

  test('a file and a missing folder are told apart', async () => {
    const bench = benchWithTree();
    expect((await bench.run('list_directory', { path: 'README.md' })).code).toBe('not_a_folder');
    const missing = await bench.run('list_directory', { path: 'Src' });
    expect([missing.code, textOf(missing)]).toEqual([
      'folder_missing',
      'There is no folder Src. Did you mean src?',
    ]);
  });
});
