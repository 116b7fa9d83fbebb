import { describe, expect, test } from 'vitest';
import { globTest, splitGlob } from '#lib/glob-pattern.ts';

const files = [
  'a.ts',
  'b.js',
  'src/a.ts',
  'src/a.test.ts',
  'src/deep/er/x.tsx',
  'src/[id]/page.ts',
  '.github/workflows/ci.yml',
  'src',
];

describe('globTest', () => {
  test.each([
    ['*.ts', ['a.ts', 'src/a.ts', 'src/a.test.ts', 'src/[id]/page.ts']],
    ['/*.ts', ['a.ts']],
    ['./*.ts', ['a.ts']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/a.test.ts', 'src/[id]/page.ts']],
    ['src/*.ts', ['src/a.ts', 'src/a.test.ts']],
    ['./src/*.ts', ['src/a.ts', 'src/a.test.ts']],
    ['src/**', ['src/a.ts', 'src/a.test.ts', 'src/deep/er/x.tsx', 'src/[id]/page.ts', 'src']],
    ['src/', ['src/a.ts', 'src/a.test.ts', 'src/deep/er/x.tsx', 'src/[id]/page.ts', 'src']],
    ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/a.test.ts', 'src/deep/er/x.tsx', 'src/[id]/page.ts']],
    ['{a,b}.{t,j}s', ['a.ts', 'b.js', 'src/a.ts']],
    ['{src/{a,b},b}.{ts,js}', ['b.js', 'src/a.ts']],
    ['?.ts', ['a.ts', 'src/a.ts']],
    ['[a-b].[!t]s', ['b.js']],
    ['src/\\[id\\]/*', ['src/[id]/page.ts']],
    ['**/er/**', ['src/deep/er/x.tsx']],
    ['*ci*', ['.github/workflows/ci.yml']],
    ['{a.ts', []],
    ['', []],
  ])('%s', (pattern, expected) => {
    expect(files.filter(globTest(pattern))).toEqual(expected);
  });

  test('a pattern made to be slow is not', () => {
    const slow = globTest(`${'*a'.repeat(100)}b`);
    const start = performance.now();
    expect(slow('a'.repeat(5_000))).toBe(false);
    expect(globTest('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}')('x')).toBe(
      false,
    );
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

test('splitGlob takes the literal folders off', () => {
  expect(splitGlob('src/app/**/*.ts')).toEqual({ folder: 'src/app', rest: '**/*.ts' });
  expect(splitGlob('*.ts')).toEqual({ folder: '', rest: '*.ts' });
  expect(splitGlob('/abs/x.ts')).toEqual({ folder: '/abs', rest: 'x.ts' });
  expect(splitGlob('/*.ts')).toEqual({ folder: '/', rest: '*.ts' });
});
