import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { textOf, toolBench } from './tool-bench.ts';

const env = [
  'DB_PASSWORD=hunter2',
  'export API_KEY="abc"',
  'PLAIN=visible',
  'STRIPE_SECRET: short',
  '"auth_token": "x y",',
  'EMPTY_KEY=',
  `OPENAI_API_KEY=sk-${'abcdefgh1234567890XY'}`,
].join('\n');
const shown = ['hunter2', 'abc', 'short', 'x y', 'abcdefgh'];

function bench() {
  const made = toolBench();
  writeFileSync(path.join(made.folder, '.env'), `${env}\n`);
  writeFileSync(path.join(made.folder, 'a.ts'), 'const password = hunter2();\n');
  return made;
}

test('a file that holds secrets by its name is read with a warning and without them, however short they are', async () => {
  const text = textOf(await bench().run('read_file', { path: '.env' }));
  expect(text).toContain('holds secrets by its name');
  expect(shown.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain('PLAIN=visible');
  expect(text).toContain('EMPTY_KEY=\n');
  expect(textOf(await bench().run('read_file', { path: 'a.ts' }))).toBe('1\tconst password = hunter2();');
});

test('a search names such a file and does not show its lines, unless it is searched alone', async () => {
  const { run } = bench();
  const all = textOf(await run('grep_search', { pattern: 'hunter2|visible', context: 1 }));
  expect(all).toContain('const password = hunter2();');
  expect(all).toContain('.env\n1:[not shown');
  expect([...shown.slice(1), 'visible', 'DB_PASSWORD'].filter((secret) => all.includes(secret))).toEqual([]);
  const alone = textOf(await run('grep_search', { pattern: 'hunter2|visible', path: '.env' }));
  expect(alone).toContain('DB_PASSWORD=[secret:assignment]');
  expect(alone).toContain('PLAIN=visible');
});
