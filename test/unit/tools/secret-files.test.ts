import { readFileSync, writeFileSync } from 'node:fs';
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

// Put together here, so that no scanner of this repository takes them for real ones.
const letters = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0dF';
const pem = ['-----BEGIN RSA PRIVATE KEY-----', letters.repeat(2), letters, '-----END RSA PRIVATE KEY-----'];
const config = [
  `token: ghp_${letters}aaaa # mine`,
  'port: 1',
  ...pem,
  `url: https://me:${letters}@h/x`,
  'end: 2',
];

function configBench() {
  const made = toolBench();
  const file = path.join(made.folder, 'config.yml');
  writeFileSync(file, `${config.join('\n')}\n`);
  return { ...made, text: () => readFileSync(file, 'utf8') };
}

test('secrets in an ordinary file are marks, line by line, also where only a part of one is shown', async () => {
  const { run } = configBench();
  const whole = textOf(await run('read_file', { path: 'config.yml' }));
  expect(whole).not.toContain(letters);
  expect(whole).toContain('1\ttoken: [secret:token] # mine\n2\tport: 1\n3\t[secret:pem]\n');
  expect(whole).toContain('7\turl: https://me:[secret:url-password]@h/x\n8\tend: 2');
  const part = textOf(await run('read_file', { path: 'config.yml', offset: 5, limit: 1 }));
  expect(part).toContain('\n5\t[secret:pem]\n[lines 5-5 of 8.');
});

test('an edit beside a secret keeps it; one that would put a mark in its place is refused with the reason', async () => {
  const { run, text } = configBench();
  await run('read_file', { path: 'config.yml' });
  const edit = (old_string: string, new_string: string) =>
    run('edit_file', { path: 'config.yml', old_string, new_string });
  expect((await edit('port: 1\n', 'port: 8080\n')).status).toBe('ok');
  expect(text()).toBe(`${config.join('\n')}\n`.replace('port: 1', 'port: 8080'));
  const kept = text();
  const patch =
    '*** Begin Patch\n*** Update File: config.yml\n token: [secret:token] # mine\n-port: 8080\n+port: 9\n*** End Patch';
  const refusals = [
    await edit('token: [secret:token] # mine', 'token: x'),
    await edit('end: 2', 'end: [secret:token]'),
    await run('write_file', { path: 'config.yml', content: 'token: [secret:token]\n' }),
    await run('append_file', { path: 'config.yml', content: '[secret:pem]\n' }),
    await run('apply_patch', { patch }),
  ];
  expect(refusals.map(({ code }) => code)).toEqual([
    'not_found',
    'secret_mark',
    'secret_mark',
    'secret_mark',
    'not_found',
  ]);
  for (const result of refusals) expect(textOf(result)).toContain('stand for secrets that are not shown');
  expect(text()).toBe(kept);
});

test('a text about marks is an ordinary text', async () => {
  const { run, folder } = toolBench();
  const result = await run('write_file', { path: 'a.md', content: 'A key becomes [secret:token].\n' });
  const edited = await run('edit_file', { path: 'a.md', old_string: 'A key', new_string: '[secret:pem]' });
  expect([result.status, edited.status]).toEqual(['ok', 'ok']);
  expect(readFileSync(path.join(folder, 'a.md'), 'utf8')).toBe('[secret:pem] becomes [secret:token].\n');
});
