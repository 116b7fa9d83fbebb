import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { bashCall, fileCall, judge, makeGate, makePlace, put } from './support.ts';

const place = makePlace();
const { workspace, outside } = place;
put(path.join(workspace, 'secret/a.txt'));
symlinkSync('secret', path.join(workspace, 'pub'));
symlinkSync(outside, path.join(workspace, 'out'));
const plain = makeGate(place);

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

const bash = (rules: { allow?: string[]; ask?: string[]; deny?: string[] }, command: string) =>
  judge(makeGate(place, { rules }), place, command).decision;

const file = (
  rules: { allow?: string[]; ask?: string[]; deny?: string[] },
  name: string,
  access: 'read' | 'write',
) =>
  makeGate(place, { rules }).decide(fileCall(path.resolve(workspace, name), { mode: 'prompt', access }))
    .decision;

describe('a rule for a command', () => {
  it.each([
    ['Bash(npm test)', 'npm test', 'allow'],
    ['Bash(npm test)', 'npm test -- x', 'ask'],
    ['Bash(npm test)', '  npm   "test" ', 'allow'],
    ['Bash(npm run test:*)', 'npm run test', 'allow'],
    ['Bash(npm run test:*)', 'npm run test --watch', 'allow'],
    ['Bash(npm run test:*)', 'npm run tests', 'ask'],
    ['Bash(npm run *)', 'npm run build', 'allow'],
    ['Bash(npm run *)', 'npm runx', 'ask'],
    ['Bash(make*)', 'makefile-lint', 'allow'],
    ['Bash(git * main)', 'git merge main', 'allow'],
    ['Bash(git * main)', 'git merge other', 'ask'],
    ['bash(npm test)', 'npm test', 'allow'],
    ['Bash', 'npm test', 'allow'],
    ['Bash(*)', 'node x.js', 'allow'],
    ['Bash(npm test:*)', 'npm test && ls', 'allow'],
    ['Bash(npm test:*)', 'npm test && node x.js', 'ask'],
    ['Bash(npm test:*)', 'npm test > out.txt', 'ask'],
    ['Bash(npm test:*)', 'npm test > ~/.bashrc', 'ask'],
    ['Bash(npm test:*)', 'npm test $(node x.js)', 'ask'],
    ['Bash(npm test:*)', 'npm test &', 'ask'],
    ['Bash(npm test:*)', 'npm test; f() { ls; }', 'ask'],
    ['Bash(npm test:*)', 'PATH=. npm test', 'ask'],
    ['Bash(npm test:*)', 'LANG=C npm test', 'allow'],
    ['Bash(npm test:*)', 'timeout 60 npm test', 'allow'],
    ['Bash(npm test:*)', 'nohup nice -n 5 npm test', 'allow'],
    ['Bash(npm test:*)', 'sudo npm test', 'ask'],
    ['Bash(npm test:*)', 'bash -c "npm test"', 'ask'],
    ['Bash(bash -c "npm test")', "bash -c 'npm test'", 'allow'],
    ['Bash(node x.js && npm test)', 'node x.js && npm test', 'allow'],
    ['Bash(node x.js && npm test)', 'node x.js || npm test', 'ask'],
    ['Bash(node x.js > log.txt)', 'node x.js > log.txt', 'allow'],
    ['Bash(cat:*)', 'cat ../x.txt', 'allow'],
    ['Bash(cat:*)', 'cat .env', 'ask'],
    ['Bash(*)', 'tee .git/hooks/pre-commit', 'ask'],
    ['Bash(*)', 'rm -rf ~', 'deny'],
    ['Bash(*)', 'echo x > .llmcode/config.json', 'deny'],
  ])('allow %s: %s is answered with %s', (rule, command, decision) => {
    expect(bash({ allow: [rule] }, command)).toBe(decision);
  });

  it.each([
    ['Bash(rm:*)', 'rm x', 'deny'],
    ['Bash(rm:*)', 'ls && "r"m x', 'deny'],
    ['Bash(rm:*)', '/bin/rm x', 'deny'],
    ['Bash(rm:*)', 'FOO=1 timeout 3 sudo -u me rm x', 'deny'],
    ['Bash(rm:*)', 'echo $(rm x)', 'deny'],
    ['Bash(rm:*)', 'bash -c "ls; rm x"', 'deny'],
    ['Bash(rm:*)', 'find . -exec rm {} \\;', 'deny'],
    ['Bash(rm:*)', "echo 'rm x'", 'allow'],
    ['Bash(curl * | sh)', 'curl -s https://localhost | bash', 'deny'],
    ['Bash(git push:*)', 'git push', 'deny'],
    ['Bash(*--force*)', 'git push --force', 'deny'],
    ['Bash', 'ls', 'deny'],
    ['Read(./.env)', 'cat .env', 'deny'],
    ['Read(secret/**)', 'grep -r x secret/a.txt', 'deny'],
    ['Read(secret/**)', 'head -1 pub/a.txt', 'deny'],
    ['Edit(src/**)', 'echo x > src/a.ts', 'deny'],
    ['Edit(src/**)', 'cp README.md src/', 'deny'],
  ])('deny %s: %s is answered with %s', (rule, command, decision) => {
    expect(bash({ allow: ['Bash'], deny: [rule] }, command)).toBe(decision);
  });

  it('to ask beats one to allow, and the mode', () => {
    expect(bash({ allow: ['Bash(git push:*)'], ask: ['Bash(git push:*)'] }, 'git push')).toBe('ask');
    const gate = makeGate(place, { rules: { ask: ['Bash(ls:*)'] } });
    expect(judge(gate, place, 'ls', 'full_access').decision).toBe('ask');
    expect(judge(gate, place, 'ls', 'plan').decision).toBe('ask');
  });
});

describe('a rule for files', () => {
  it.each([
    ['Edit(src/**)', 'src/deep/a.ts', 'write', 'allow'],
    ['Edit(src/**)', 'lib/a.ts', 'write', 'ask'],
    ['Edit(*.md)', 'docs/x.md', 'write', 'allow'],
    ['Edit(/src/**)', 'src/a.ts', 'write', 'ask'],
    ['Edit', 'src/a.ts', 'write', 'allow'],
    ['Edit', '../other/x.txt', 'write', 'ask'],
    ['edit_file', 'src/a.ts', 'write', 'allow'],
    ['Write', 'src/a.ts', 'write', 'ask'],
    ['Edit(**)', '.git/config', 'write', 'ask'],
    ['Edit(.git/config)', '.git/config', 'write', 'ask'],
    ['Edit(.llmcode/config.json)', '.llmcode/config.json', 'write', 'deny'],
    ['Edit(out/**)', 'out/x.txt', 'write', 'ask'],
    ['Read(~/notes.txt)', '../../notes.txt', 'read', 'allow'],
    ['Read(~/code/**)', '../other/x.txt', 'read', 'allow'],
    ['Read(out/**)', 'out/x.txt', 'read', 'ask'],
    ['Read(**)', '.env', 'read', 'ask'],
    ['Read', '.env', 'read', 'ask'],
    ['Read(.env)', '.env', 'read', 'allow'],
    ['Read(SRC/**)', '../x.txt', 'read', 'ask'],
  ] as const)('allow %s: %s (%s) is answered with %s', (rule, name, access, decision) => {
    expect(file({ allow: [rule] }, name, access)).toBe(decision);
  });

  it('means an absolute path with two slashes', () => {
    expect(file({ allow: [`Read(/${outside}/**)`] }, '../other/x.txt', 'read')).toBe('allow');
    expect(file({ deny: [`Edit(/${workspace}/src/)`] }, 'src/a.ts', 'write')).toBe('deny');
  });

  it('to deny counts for every name of the file, without regard to case', () => {
    expect(file({ deny: ['Read(secret/)'] }, 'pub/a.txt', 'read')).toBe('deny');
    expect(file({ deny: ['Read(pub/**)'] }, 'pub/a.txt', 'read')).toBe('deny');
    expect(file({ deny: ['Read(SECRET/**)'] }, 'src/../secret/a.txt', 'read')).toBe('deny');
    expect(file({ deny: ['Read(secret/**)'] }, 'secret2/a.txt', 'read')).toBe('allow');
  });

  it('counts for all tools that read, or all that write', () => {
    const gate = makeGate(place, { rules: { deny: ['Read(secret/**)'] } });
    const call: PermissionCall = {
      ...fileCall(path.join(workspace, 'secret/a.txt'), { mode: 'prompt', access: 'read' }),
      tool: 'grep_search',
    };
    expect(gate.decide(call).decision).toBe('deny');
  });
});

describe('a rule for other tools', () => {
  const call = (tool: string, input: Record<string, string>, host?: string): PermissionCall => ({
    tool,
    effect: 'net',
    input,
    resources: host === undefined ? [] : [{ kind: 'host', host }],
    mode: 'prompt',
  });

  it.each([
    ['mcp__github', 'mcp__github__search', 'allow'],
    ['mcp__github__*', 'mcp__github__search', 'allow'],
    ['mcp__github__search', 'mcp__github__search', 'allow'],
    ['mcp__git', 'mcp__github__search', 'ask'],
    ['WebSearch', 'web_search', 'allow'],
  ])('%s covers %s: %s', (rule, tool, decision) => {
    expect(makeGate(place, { rules: { allow: [rule] } }).decide(call(tool, {})).decision).toBe(decision);
  });

  it.each([
    ['WebFetch(domain:example.org)', 'example.org', 'allow'],
    ['WebFetch(domain:example.org)', 'EXAMPLE.org.', 'allow'],
    ['WebFetch(domain:example.org)', 'evil-example.org', 'ask'],
    ['WebFetch(domain:example.org)', 'example.org.evil.com', 'ask'],
    ['WebFetch(domain:example.org)', 'sub.example.org', 'ask'],
    ['WebFetch(domain:*.example.org)', 'sub.example.org', 'allow'],
    ['WebFetch(domain:*.example.org)', 'evilexample.org', 'ask'],
  ])('%s and the host %s: %s', (rule, host, decision) => {
    expect(makeGate(place, { rules: { allow: [rule] } }).decide(call('web_fetch', {}, host)).decision).toBe(
      decision,
    );
    expect(
      makeGate(place, { rules: { deny: ['WebFetch(domain:example.org)'] } }).decide(
        call('web_fetch', {}, 'sub.example.org'),
      ).decision,
    ).toBe('deny');
  });

  it('on one parameter can deny', () => {
    const gate = makeGate(place, { rules: { deny: ['Agent(model:opus*)'] } });
    expect(gate.decide(call('agent', { model: 'opus-4' })).decision).toBe('deny');
    expect(gate.decide(call('agent', { model: 'small' })).decision).toBe('ask');
    expect(gate.decide(call('agent', { prompt: 'opus-4' })).decision).toBe('ask');
  });
});

describe('the rules of a repository', () => {
  it.each(['project', 'local', 'claude-project'] as const)(
    'of origin %s deny and ask, but never allow',
    (origin) => {
      const rules = { origin, allow: ['Bash', 'Edit'], ask: ['Bash(ls:*)'], deny: ['Bash(pwd)'] };
      const gate = makeGate(place, { rules });
      expect(judge(gate, place, 'npm test').decision).toBe('ask');
      expect(judge(gate, place, 'ls').decision).toBe('ask');
      expect(judge(gate, place, 'pwd').decision).toBe('deny');
      expect(gate.problems.map(({ rule }) => rule)).toEqual(['Bash', 'Edit']);
    },
  );

  it('may be written relative to the folder that holds their settings', () => {
    const file = path.join(workspace, '.claude/settings.json');
    const gate = makeGate(place, { rules: { origin: 'claude-project', file, deny: ['Edit(/src/**)'] } });
    expect(
      gate.decide(fileCall(path.join(workspace, 'src/a.ts'), { mode: 'full_access', access: 'write' }))
        .decision,
    ).toBe('deny');
  });
});

describe('a rule that cannot be read', () => {
  it.each([
    'Bash(',
    'Bash()',
    '',
    'Edit(!x)',
    'Edit(../x)',
    'WebFetch(example.org)',
    'Bash(ls && rm:*)',
    'Bash(ls; rm *)',
    'Skill(a:b)',
  ])('is a problem to show: %s', (rule) => {
    const gate = makeGate(place, { rules: { allow: [rule] } });
    expect(gate.problems).toHaveLength(1);
  });

  it('is not mixed up with names of the language', () => {
    const gate = makeGate(place, { rules: { allow: ['toString', '__proto__', 'constructor(x)'] } });
    expect(judge(gate, place, 'npm test').decision).toBe('ask');
    expect(gate.problems).toEqual([]);
  });
});

describe('the proposed rule', () => {
  it.each([
    ['npm test', 'Bash(npm test)'],
    ['npm run build -- --watch', 'Bash(npm run build:*)'],
    ['timeout 60 cargo test --all', 'Bash(cargo test:*)'],
    ['node src/app.js', 'Bash(node src/app.js)'],
    ['git commit -m "fix: it"', "Bash(git commit -m 'fix: it')"],
    ['npm run build && npm test', 'Bash(npm run build && npm test)'],
    ['cat ../x.txt', 'Bash(cat ../x.txt)'],
    ['git status > log.txt', 'Bash(git status > log.txt)'],
  ])('of %s is %s', (command, rule) => {
    expect(judge(plain, place, command).suggestedRule).toBe(rule);
  });

  it.each([
    'rm -rf dist',
    'sudo make',
    'git push',
    'curl -T x https://example.org',
    'cat .env',
    'echo x > .git/hooks/a',
    'echo "',
    '$X y',
    'eval "$x"',
    'npm test; echo "$(id)"',
    'chmod +x a',
    'claude -p x',
    'brew install x',
    'ls\u200b',
  ])('does not exist for %s', (command) => {
    const decision = judge(plain, place, command);
    expect(decision).toMatchObject({ decision: 'ask' });
    expect(decision.suggestedRule).toBeUndefined();
  });

  it('of a file is its folder', () => {
    const ask = (name: string, access: 'read' | 'write') =>
      plain.decide(fileCall(path.resolve(workspace, name), { mode: 'prompt', access })).suggestedRule;
    expect(ask('src/deep/a.ts', 'write')).toBe('Edit(src/deep/**)');
    expect(ask('README.md', 'write')).toBe('Edit(./README.md)');
    expect(ask('app/[id]/page.tsx', 'write')).toBe('Edit(app/\\[id\\]/**)');
    expect(ask('../other/x.txt', 'read')).toBe(`Read(/${outside}/x.txt)`);
    expect(ask('.git/config', 'write')).toBeUndefined();
    expect(ask('.env', 'read')).toBeUndefined();
  });

  it('of several files is the folder that holds them all, asked for in one sentence', () => {
    const ask = (...names: string[]) => {
      const resources = names.map((name) => ({
        kind: 'path' as const,
        path: path.resolve(workspace, name),
        access: 'write' as const,
      }));
      const call = { tool: 'apply_patch', effect: 'write', input: {}, resources, mode: 'prompt' } as const;
      return plain.decide(call);
    };
    const asked = ask('src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/deep/d.ts');
    expect([asked.suggestedRule, asked.reasons]).toEqual([
      'Edit(src/**)',
      [
        {
          check: 'mode-prompt-write',
          text: 'src/a.ts, src/b.ts, src/deep/c.ts and 1 more: prompt mode asks before a file is changed',
        },
      ],
    ]);
    expect(ask('src/deep/a.ts', 'src/deep/b.ts').suggestedRule).toBe('Edit(src/deep/**)');
    expect(ask('src/a.ts', 'test/a.ts').suggestedRule).toBeUndefined();
    expect(ask('src/a.ts', 'src/.git/config').suggestedRule).toBeUndefined();
    expect(ask('src/a.ts', '../other/x.ts').suggestedRule).toBeUndefined();
  });

  it('always answers the call that it came from', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'npm',
        'run',
        'test',
        'node',
        'git',
        'x.js',
        '-v',
        '--watch',
        'make',
        'cargo',
        'build',
        'a b',
        "it's",
        '*',
        '~/x',
        '$HOME',
        '../y',
        '"',
        '\\',
        '{a,b}',
        'é',
        '#',
        '(x)',
        ':*',
      ),
      fc.string({ maxLength: 6 }),
    );
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const part = fc
      .array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 5 })
      .map((list) => list.map(([text, isQuoted]) => (isQuoted ? quote(text) : text)).join(' '));
    const command = fc.array(part, { minLength: 1, maxLength: 3 }).map((list) => list.join(' && '));
    await fc.assert(
      fc.asyncProperty(command, async (text) => {
        const call = bashCall(text, { mode: 'prompt', cwd: workspace });
        const { suggestedRule } = plain.decide(call);
        if (suggestedRule === undefined) return;
        const gate = makeGate(place);
        await gate.allow(suggestedRule, 'session');
        expect(gate.decide(call).decision).toBe('allow');
      }),
      { numRuns: 300 },
    );
  });
});
