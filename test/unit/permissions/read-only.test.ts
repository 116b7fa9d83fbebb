import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseShell } from '../../../src/permissions/shell/parse.ts';
import { walkShell } from '../../../src/permissions/shell/walk.ts';
import { hazards } from './hazards.ts';
import { corpus, hasCorpora, judge, makeGate, makePlace, put } from './support.ts';

const place = makePlace();
const gate = makeGate(place);
const inPlace = (file: string) => path.join(place.workspace, file);
const decide = (command: string) => judge(gate, place, command).decision;
const strictness = { allow: 0, ask: 1, deny: 2 };

// Names that a program would take for options, and a program that leaves a trace when anything starts it.
for (const name of [
  '--output=pwned',
  '-exec',
  '--pre=evil.sh',
  '-o pwned.ts',
  '$(touch pwned).ts',
  'a;touch pwned',
]) {
  put(inPlace(`odd/${name}`));
}
for (const name of [
  'names.txt',
  'data.csv',
  'src/b.ts',
  'src/deep/c.ts',
  'docs/guide.md',
  'test/a.ts',
  'top.ts',
]) {
  put(inPlace(name), 'foo 1,2\nbar 3,4\n');
}
put(inPlace('evil.sh'), '#!/bin/sh\ntouch pwned\n');
chmodSync(inPlace('evil.sh'), 0o755);
rmSync(inPlace('.git'), { recursive: true });
const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace, stdio: 'ignore' });
git('init', '-q', '-b', 'main');
git('config', 'user.email', 'a@b.c');
git('config', 'user.name', 'a');
git('add', 'src', 'names.txt');
git('commit', '-q', '-m', 'first');

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

const one = fc.constantFrom;
const file = one(
  'names.txt',
  'data.csv',
  'src',
  'src/*.ts',
  '*',
  '*.ts',
  './*',
  'odd/*',
  'src/a.ts',
  '.',
  '"$f"',
  '$f',
  '$(ls)',
  '-',
  '--output=pwned',
  '-o',
  'pwned',
  '-exec',
  '>pwned',
  'HEAD',
  '{}',
  ';',
  '+',
  '-w',
  '-i',
  '2>/dev/null',
);
const programs = [
  'ls',
  'cat',
  'head -n 2',
  'tail -n1',
  'wc -l',
  'sort',
  'sort -u',
  'uniq',
  'cut -d, -f1',
  'grep foo',
  'grep -rn foo',
  'find',
  "find src -name '*.ts'",
  'find . -type f',
  'git log',
  'git diff',
  'git show',
  'git ls-files',
  'git status -s',
  'git branch',
  'git tag',
  'git grep foo',
  'git blame',
  'sed -n 1p',
  "sed 's/a/b/'",
  "awk '{print $1}'",
  'tree',
  'du',
  'stat',
  "awk 'NR>1 {print}'",
  'tr a b',
  'diff',
  'xxd',
  'od',
  'echo',
  'printf %s',
  'test -f',
  '[ -n',
  'basename',
  'read x',
  'date',
  'xargs',
  'xargs -n1',
  'xargs -0',
  'xargs -I{}',
  'tee',
  'touch',
  'rm -f',
  'env',
  'timeout 2',
  'nice',
  'command',
  'time',
  'split',
  'cp names.txt',
  'tar tf',
  'jq .',
  'shuf',
  'base64',
  'cmp',
  'comm',
  'file',
  'rev',
  'nl',
  'column',
  'iconv',
  'sha1sum',
  'rg foo',
  'fd a',
  'yq .',
  'strings',
  'hexdump',
  'git rev-list',
  'git reflog',
  'git shortlog',
  'git describe',
  'git config',
  'git for-each-ref',
] as const;
const program = one(...programs);
const simple = fc
  .tuple(
    program,
    fc.array(
      one(program, file).chain((each) => each),
      { maxLength: 3 },
    ),
  )
  .map(([first, rest]) => [first, ...rest].join(' '));
const command: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, withCrossShrink: false },
    { arbitrary: simple, weight: 4 },
    {
      arbitrary: fc.tuple(simple, one('|', '&&', ';', '||'), tie('text')).map((parts) => parts.join(' ')),
      weight: 3,
    },
    {
      arbitrary: fc
        .tuple(one('src/*.ts', 'odd/*', 'a b', 'src names.txt', '$(ls)'), tie('text'))
        .map(([list, body]) => `for f in ${list}; do ${body}; done`),
      weight: 2,
    },
    {
      arbitrary: fc.tuple(simple, tie('text')).map(([test, body]) => `if ${test}; then ${body}; fi`),
      weight: 1,
    },
    { arbitrary: tie('text').map((body) => `echo "$(${body})"`), weight: 1 },
    {
      arbitrary: fc.tuple(simple, tie('text')).map(([a, b]) => `${a} | while read -r f; do ${b}; done`),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(one('names.txt', '--output=pwned', 'src'), tie('text'))
        .map(([v, t]) => `f=${v}; ${t}`),
      weight: 1,
    },
    { arbitrary: tie('text').map((body) => `(${body})`), weight: 1 },
  ),
})).text;

/** Every file with its content, mode and target; git may refresh what it remembers of them. */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const full = path.join(folder, entry);
    const stats = lstatSync(full);
    const content = stats.isFile()
      ? readFileSync(full, 'latin1')
      : stats.isSymbolicLink()
        ? readlinkSync(full)
        : '';
    if (!/\.git\/index(\.lock)?$/.test(full)) found[entry] = `${stats.mode} ${content}`;
  }
  return found;
}

/** Runs each command in a shell of its own and writes down those after which the environment is another one. */
const runner = `
look() { exec 9>&1 </dev/null >/dev/null 2>&1; trap 'unset _ PWD OLDPWD SHLVL; export -p >&9' EXIT; eval "$1"; }
before=$(look :)
mapfile -d '' -t commands < "$1"
for each in "\${commands[@]}"; do
  after=$(look "$each")
  [ "$after" = "$before" ] || printf '%s\\0' "$each" >> "$2"
done
mapfile -d '' -t commands < "$3"
for each in "\${commands[@]}"; do (eval "$each") </dev/null >/dev/null 2>&1; done
:
`;

describe('commands that are judged to only read', () => {
  it('change neither a file nor the environment', () => {
    const written = readFileSync(path.join(import.meta.dirname, 'commands/prompt.txt'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('allow ') && /for |while|find|xargs|awk|\$\(/.test(line))
      .map((line) => line.slice('allow '.length).replaceAll('⏎', '\n'));
    const made = fc.sample(command, { numRuns: 4_000, seed: 20 });
    const crossed = programs
      .filter((first) => /^(sort|uniq|find|sed|awk|tree|xxd|rg|git (log|diff|grep))$/.test(first))
      .flatMap((first) => hazards.map((hazard) => `${first} ${hazard}`));
    const allowed = [...new Set([...made, ...crossed, ...written])].filter(
      (text) => decide(text) === 'allow',
    );
    // Loops in loops only take time.
    const isShort = (text: string) => text.length < 80 && text.split('for ').length < 3;
    const known = new Set([...written, ...crossed]);
    const generated = allowed.filter((text) => !known.has(text) && isShort(text));
    expect(generated.length).toBeGreaterThanOrEqual(300);
    const chosen = [...generated.slice(0, 300), ...allowed.filter((text) => written.includes(text))];
    const list = path.join(place.base, 'commands');
    const changed = path.join(place.base, 'changed');
    writeFileSync(list, chosen.join('\0'));
    const bare = path.join(place.base, 'bare');
    writeFileSync(bare, allowed.filter((text) => crossed.includes(text)).join('\0'));
    writeFileSync(changed, '');
    const before = snapshot(place.userHome);
    const env = { PATH: process.env.PATH, HOME: place.userHome, GIT_OPTIONAL_LOCKS: '0', PAGER: 'cat' };
    const run = spawnSync('bash', ['--noprofile', '--norc', '-c', runner, 'runner', list, changed, bare], {
      cwd: place.workspace,
      env,
      timeout: 90_000,
    });
    expect(run.status, String(run.stderr).slice(0, 2_000)).toBe(0);
    expect(snapshot(place.userHome)).toEqual(before);
    expect(readFileSync(changed, 'utf8')).toBe('');
  }, 120_000);

  it('are accepted by bash itself', () => {
    const sign = one(
      'a',
      'ls',
      ' ',
      ';',
      '|',
      '&&',
      '(',
      ')',
      '{ ',
      ' }',
      'if ',
      'then ',
      'fi',
      'done',
      '$(',
      '"',
      "'",
      '\n',
    );
    const texts = fc
      .sample(fc.array(sign, { maxLength: 8 }), { numRuns: 4_000, seed: 4 })
      .map((each) => each.join(''));
    const allowed = [...new Set(texts)].filter((text) => decide(text) === 'allow');
    const list = path.join(place.base, 'texts');
    writeFileSync(list, allowed.join('\0'));
    const check = `mapfile -d '' -t all < "$1"; for each in "\${all[@]}"; do bash -n <<< "$each" 2>/dev/null || printf '%s\\0' "$each"; done`;
    const refused = spawnSync('bash', ['-c', check, 'check', list], { encoding: 'utf8' }).stdout;
    expect(allowed.length).toBeGreaterThan(10);
    expect(refused).toBe('');
  }, 60_000);
});

type Row = { command: string };

describe.skipIf(!hasCorpora)('the corpus', () => {
  const commands = hasCorpora ? corpus<Row>('bash-commands.jsonl').map((row) => row.command) : [];

  it('is answered no less strictly in whatever quotes its words stand', () => {
    const requoted = commands.flatMap((text, index) => {
      const { script, error } = parseShell(text);
      const [only, ...more] = walkShell(script, text, { known: new Map(), firstPipeline: 0 }).commands;
      const isPlain =
        error === undefined &&
        only &&
        more.length === 0 &&
        only.source === text &&
        only.redirects.length === 0;
      if (!isPlain || only.assignments.length > 0) return [];
      const words = only.words.map((word) => (word.kind === 'literal' ? word.value : undefined));
      if (words.length === 0 || words.includes(undefined) || /[~{]/.test(text)) return [];
      return [0, 1, 2, 3].map((style) => ({
        text,
        other: words.map((word, at) => inQuotes(word ?? '', (style + at * 7 + index) % 4)).join(' '),
      }));
    });
    expect(requoted.length).toBeGreaterThan(500);
    const weaker = requoted.filter(({ text, other }) => strictness[decide(other)] < strictness[decide(text)]);
    expect(weaker).toEqual([]);
  }, 60_000);

  it('is answered in a few milliseconds each', () => {
    const times = commands
      .map((text) =>
        Math.min(
          ...[1, 2, 3].map(() => {
            const started = performance.now();
            decide(text);
            return performance.now() - started;
          }),
        ),
      )
      .sort((a, b) => a - b);
    expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(15);
    expect(times.at(-1)).toBeLessThan(100);
  }, 60_000);
});

function inQuotes(word: string, style: number): string {
  switch (style) {
    case 0:
      return `'${word.replaceAll("'", "'\\''")}'`;
    case 1:
      return `"${word.replaceAll(/["$`\\]/g, '\\$&')}"`;
    case 2:
      return `$'${word.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
    default:
      return word.includes('\n') || word === '' ? inQuotes(word, 0) : word.replaceAll(/[^\w]/gu, '\\$&');
  }
}
