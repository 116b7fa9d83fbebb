import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillCommand } from '../../../src/hooks/fill-command.ts';
import { hookBench, nothing, toolBefore } from './set-up.ts';

const bench = hookBench();

const hostile = [
  "it's",
  'say "hi"',
  '$(touch PWNED)',
  '`touch PWNED`',
  "'; touch PWNED; '",
  '"; touch PWNED; "',
  "'$(touch PWNED)'",
  '"$(touch PWNED)"',
  'a\ntouch PWNED\n',
  '\\',
  "\\'; touch PWNED #",
  '$HOME ${HOME} ~ * ? [a] {a,b}',
  '& touch PWNED & | touch PWNED > x < y',
  ') touch PWNED (',
  '{command} {path}',
  'ünïcode 漢字 🎉\t\u0007\u001b[31m',
  '',
  '  two  blanks  ',
];

const templates: [string, (value: string) => string][] = [
  ['printf %s {path}', (value) => value],
  ['printf %s "{path}"', (value) => value],
  [`printf %s '{path}'`, (value) => value],
  ['printf %s "a {path} b"', (value) => `a ${value} b`],
  [`printf %s 'a {path} b'`, (value) => `a ${value} b`],
  ['printf %s x={path}.bak', (value) => `x=${value}.bak`],
  ['printf %s "$(printf %sX {path})"', (value) => `${value}X`],
  ['printf %s "$(printf %sX "{path}")"', (value) => `${value}X`],
  [`printf %s "it's "{path}`, (value) => `it's ${value}`],
  ['cat <<< {path}', (value) => `${value}\n`],
  [`printf %s \\'{path} # don't touch {path}`, (value) => `'${value}`],
];

describe('a field in a command', () => {
  it('is one argument and never runs, whatever quotes stand around it and whatever it holds', async () => {
    const command = templates.map(([template], at) => `> out${at} ${template}`).join('\n');
    for (const value of hostile) {
      const input = { path: value, command: 'touch PWNED' };
      const outcome = await bench.fire([{ event: 'tool_before', command }], toolBefore('edit_file', input));
      expect(outcome).toEqual(nothing);
      const printed = templates.map((_, at) => bench.read(`out${at}`));
      expect(printed).toEqual(templates.map(([, expected]) => expected(value)));
    }
    expect(existsSync(bench.file('PWNED'))).toBe(false);
    expect(existsSync(bench.file('x'))).toBe(false);
  });

  it('is left alone where it is no field or the shell means it', async () => {
    const command = `path=mine; printf '%s|' \${path} {nope} {a,b} "$(echo 'a b' | awk '{print $2}')" > out`;
    await bench.fire([{ event: 'tool_before', command }], toolBefore('edit_file', { path: 'other' }));
    expect(bench.read('out')).toBe('mine|{nope}|a|b|b|');
  });

  it('is empty when the event has no such field, and a path is never an option', async () => {
    const command = `printf '<%s>' {path} {query} > out`;
    await bench.fire([{ event: 'tool_before', command }], toolBefore('read_file', { path: '-rf' }));
    expect(bench.read('out')).toBe('<./-rf><>');
  });

  it('takes numbers, and lists as JSON', async () => {
    const command = `printf '<%s>' {limit} {edits} > out`;
    const input = { limit: 3, edits: [{ a: "it's" }] };
    await bench.fire([{ event: 'tool_before', command }], toolBefore('multi_edit', input));
    expect(bench.read('out')).toBe(`<3><[{"a":"it's"}]>`);
  });

  it.each([
    `bash -c 'cat {path}'`,
    'sh -lc "cat {path}"',
    `python3 -c "print('{path}')"`,
    'bash -c {path}',
    '/usr/bin/python3 -u -c "{path}"',
    'eval echo {path}',
    'ssh host cat {path}',
    'echo `cat {path}`',
    "echo $'a {path}'",
    'cat <<EOF\n{path}\nEOF',
  ])('is refused where its value could run or get lost: %s', (command) => {
    expect(fillCommand(command, {})).toEqual({ problem: expect.stringContaining('{path} stands in') });
  });

  it.each(['gcc -c {path}', 'gcc -c "{path}"', `bash -c 'cat "$1"' _ {path}`, 'npm run watch {path}'])(
    'may stand beside what only looks like code: %s',
    (command) => {
      expect(fillCommand(command, {})).not.toHaveProperty('problem');
    },
  );

  it('that is too long for a command fails in the direction of the settings', async () => {
    const outcome = await bench.fire(
      [{ event: 'tool_before', command: 'echo {content}', on_error: 'deny' }],
      toolBefore('write_file', { content: 'x'.repeat(200_000) }),
    );
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason).toContain('{content} is too long for a command');
  });
});
