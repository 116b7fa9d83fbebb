import { describe, expect, it } from 'vitest';
import {
  captureCommander,
  createSessionProgram,
  parseSessionFlags,
  splitRules,
} from '#app/cli/session-program.ts';
import { withSubcommandFirst } from '#app/cli/subcommand-first.ts';

function parse(...argv: string[]) {
  const written: string[] = [];
  const program = captureCommander(createSessionProgram('1.2.3'), (text) => written.push(text));
  return { flags: parseSessionFlags(program, argv), written: written.join('') };
}

it.each([
  [
    ['models', '--json'],
    ['models', '--json'],
  ],
  [
    ['--model', 'x', 'models'],
    ['models', '--model', 'x'],
  ],
  [
    ['-m', 'models', 'threads', 'list', '--', '-x'],
    ['threads', 'list', '-m', 'models', '--', '-x'],
  ],
  [
    ['--json', 'doctor'],
    ['doctor', '--json'],
  ],
  [
    ['--cwd=/x', '--resume', 'threads', 'tool', 'run'],
    ['tool', 'run', '--cwd=/x', '--resume', 'threads'],
  ],
  [['-m', 'models'], undefined],
  [['--resume', 'threads'], undefined],
  [['-p', 'models'], undefined],
  [['--', 'models'], undefined],
  [['fix', 'models'], undefined],
])('%j is the subcommand %j, wherever its options stand', (argv, expected) => {
  expect(withSubcommandFirst(argv, createSessionProgram('1').options)).toEqual(expected);
});

describe('the command line of a session', () => {
  it('takes a prompt of several words and flags in any place', () => {
    expect(parse('-p', 'fix', 'the test', '--output-format', 'json', '--max-turns', '3').flags).toEqual({
      print: true,
      prompt: 'fix the test',
      outputFormat: 'json',
      maxTurns: 3,
    });
  });

  it('takes a prompt that looks like a flag after --', () => {
    expect(parse('-p', '--', '--weird').flags).toEqual({ print: true, prompt: '--weird' });
  });

  it('knows other spellings of modes and tool flags', () => {
    expect(
      parse(
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'Bash(git *),Edit Read',
        '--disallowed-tools',
        'WebFetch',
      ).flags,
    ).toEqual({
      permissionMode: 'workspace_write',
      allowedTools: ['Bash(git *)', 'Edit', 'Read'],
      disallowedTools: ['WebFetch'],
    });
  });

  it('tells resume without a value from resume with one', () => {
    expect(parse('-r').flags).toEqual({ resume: true });
    expect(parse('--resume', 'abc', '--fork').flags).toEqual({ resume: 'abc', fork: true });
  });

  it('gives session only when it is switched off', () => {
    expect(parse('--no-session').flags).toEqual({ session: false });
  });

  it('prints help and version and is done', () => {
    expect(parse('--version')).toEqual({ flags: 'shown', written: '1.2.3\n' });
    expect(parse('--help').written).toContain('--permission-mode');
  });

  it.each([
    [['--modle', 'x'], "unknown option '--modle'; did you mean --model?"],
    [['--permission-mode', 'planing'], "did you mean 'plan'?"],
    [['--output-format', 'xml'], 'Allowed choices are text, json, stream-json, events'],
    [['--max-turns', '0'], 'whole number from 1'],
    [['--timeout', 'soon'], 'number above 0'],
    [['-c', '-r', 'x'], 'exclude each other'],
    [['--fork'], '--fork needs'],
    [['--demo', '-m', 'a/b'], '--demo brings its own model'],
  ])('refuses %j in one line that says what is right', (argv, message) => {
    const failing = () => parse(...argv);
    expect(failing).toThrow(message);
    expect(failing).toThrow(expect.objectContaining({ code: 'usage', exitCode: 2 }));
    expect(failing).not.toThrow('\n');
  });
});

describe('rule lists', () => {
  it.each([
    ['Read,Edit', ['Read', 'Edit']],
    ['Bash(git add *, git status) Edit', ['Bash(git add *, git status)', 'Edit']],
    ['  ', []],
    ['Bash(echo (a, b))', ['Bash(echo (a, b))']],
  ])('%j is split outside of parentheses only', (text, rules) => {
    expect(splitRules(text)).toEqual(rules);
  });
});
