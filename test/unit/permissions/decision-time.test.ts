import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { judge, makeGate, makePlace } from './support.ts';

const place = makePlace();
const gate = makeGate(place);
afterAll(() => rmSync(place.base, { recursive: true, force: true }));

const many = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
const inShells = (levels: number) =>
  Array.from({ length: levels }).reduce<string>((text) => `bash -c ${JSON.stringify(text)}`, 'ls');

const extremes: Readonly<Record<string, string>> = {
  'many words': `echo ${'word '.repeat(10_000)}`,
  'many files': `cat ${many(10_000, (index) => `src/f${index}.ts`)}`,
  'a long list': 'ls; '.repeat(5_000),
  'a list of the longest that is analysed': 'ls; '.repeat(199),
  'substitutions in each other': `${'echo $('.repeat(500)}ls${')'.repeat(500)}`,
  'subshells in each other': `${'('.repeat(2_000)}ls${')'.repeat(2_000)}`,
  'a heredoc of a megabyte': `cat <<'E'\n${'a line of text\n'.repeat(70_000)}E\n`,
  'a heredoc with expansions': `cat <<E\n${'a $x line `ls`\n'.repeat(20_000)}E\n`,
  'pieces of quoted words': `echo ${'"a"\'b\''.repeat(50_000)}`,
  'a pipe of thousands': many(2_000, () => 'cat', ' | '),
  'a pipe of the longest that is analysed': many(199, () => 'cat', ' | '),
  'programs that run each other': `${'xargs '.repeat(1_000)} ls`,
  'environments in each other': `${'env A=1 '.repeat(1_000)} ls`,
  'shells in each other': inShells(8),
  'braces of braces': `cat ${'{a,b}'.repeat(30)}`,
  'a range of braces': 'echo {1..100000}{a,b,c}{a,b,c}{a,b,c}',
  stars: `cat ${'*'.repeat(2_000)}`,
  'a long sed script': `sed -n '${'s/a/b/;'.repeat(20_000)}' x`,
  'a long awk script': `awk '${'{print $1}'.repeat(20_000)}' x`,
  'loops in each other': `${'for i in a b; do '.repeat(300)} ls ${'; done'.repeat(300)}`,
  'variables of variables': `${many(3_000, (index) => `a${index}=$a${index - 1}$a${index - 1}`, '; ')}; echo $a2999`,
  'many redirections': `ls ${'> out.txt '.repeat(3_000)}`,
  'no shell at all': '$({[('.repeat(20_000),
  alternatives: `ls ${'&& ls || ls '.repeat(3_000)}`,
  'a long find': `find . ${'-name a -o '.repeat(5_000)} -print`,
  'a find that runs much': `find . ${'-exec ls {} \\; '.repeat(2_000)}`,
  'the most words that are analysed': `echo ${'word '.repeat(9_990)}`,
  'the most files that are analysed': `cat ${many(4_000, (index) => `src/f${index}.ts`)}`,
  'quoted substitutions in each other': '"$('.repeat(16_000),
  'the most substitutions that are analysed': '"$('.repeat(399),
  'process substitutions in each other': 'cat <('.repeat(8_000),
  'defaults of variables in each other': '${a:-'.repeat(9_900),
  backticks: '"`'.repeat(24_000),
  'braces without an end': '{'.repeat(49_000),
  'a document of fifty thousand characters': `cat > a.md <<'E'\n${'a line of text\n'.repeat(3_300)}E\n`,
  'a program of fifty thousand characters': `sed -n '${'s/a/b/;'.repeat(7_000)}' x`,
  'changes of folder': `${'cd src; cd ..; '.repeat(99)} ls`,
};

test.each(Object.entries(extremes))('%s takes no time to speak of to decide on', (_name, command) => {
  judge(gate, place, 'ls');
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    judge(gate, place, command);
    const took = performance.now() - start;
    return took;
  });
  // 50 ms is the promise; a machine that does other work besides needs longer.
  expect(Math.min(...times)).toBeLessThan(100);
});

test('a document that is written by a command is no command, as long as it is analysed', () => {
  const words = 'Never run this:\nrm -rf /\n'.repeat(1_500);
  expect(judge(gate, place, `cat > a.md <<'E'\n${words}E\n`, 'auto_accept').decision).toBe('ask');
});

test('what is too long to analyse asks in every mode, and what must never run is still seen in it', () => {
  for (const text of [extremes['a pipe of thousands'], extremes['programs that run each other']]) {
    expect(judge(gate, place, text ?? '', 'auto_accept').decision).toBe('ask');
    expect(judge(gate, place, text ?? '', 'full_access').decision).toBe('ask');
  }
  expect(judge(gate, place, `${'ls; '.repeat(5_000)} rm -rf /`, 'full_access').decision).toBe('deny');
});
