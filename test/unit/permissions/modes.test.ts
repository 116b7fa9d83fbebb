import { linkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { PermissionMode, ToolEffect } from '#protocol/permission.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { permissionModes } from '#protocol/permission-mode.ts';
import { bashCall, fileCall, judge, makeGate, makePlace, put } from './support.ts';

const place = makePlace();
const gate = makeGate(place);
const { workspace, userHome, outside } = place;
linkSync(put(path.join(workspace, 'src/twin.ts')), path.join(workspace, 'src/other-twin.ts'));
symlinkSync(path.join(userHome, '.ssh/authorized_keys'), path.join(workspace, 'notes.md'));

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

const column = (make: (mode: PermissionMode) => PermissionCall) =>
  permissionModes.map((mode) => gate.decide(make(mode)).decision).join(' ');
const at = (file: string) => path.join(workspace, file);

describe('the table of modes', () => {
  it.each([
    // plan, read_only, prompt, workspace_write, auto_accept, full_access
    ['reading in the workspace', 'read', at('src/a.ts'), 'allow allow allow allow allow allow'],
    ['a change in the workspace', 'write', at('src/a.ts'), 'deny deny ask allow allow allow'],
    ['a new file in the workspace', 'write', at('x/y/new.ts'), 'deny deny ask allow allow allow'],
    ['reading beside the workspace', 'read', path.join(outside, 'x.txt'), 'deny deny ask ask ask allow'],
    ['a change beside the workspace', 'write', path.join(outside, 'x.txt'), 'deny deny ask ask ask allow'],
    ['reading headers of the system', 'read', '/usr/include/stdio.h', 'allow allow allow allow allow allow'],
    ['reading a secret', 'read', at('.env'), 'deny deny ask ask ask allow'],
    ['a change of a protected file', 'write', at('.git/hooks/pre-commit'), 'deny deny ask ask ask allow'],
    ['a change of a file with two names', 'write', at('src/twin.ts'), 'deny deny ask ask ask allow'],
    ['a change of our own settings', 'write', at('.llmcode/config.json'), 'deny deny deny deny deny deny'],
    ['a change through a link to login keys', 'write', at('notes.md'), 'deny deny deny deny deny deny'],
  ] as const)('%s', (_title, access, file, decisions) => {
    expect(column((mode) => fileCall(file, { mode, access }))).toBe(decisions);
  });

  it.each([
    ['a command that only reads', 'git status && ls src | head -3', 'allow allow allow allow allow allow'],
    ['a command that runs code', 'npm test', 'deny deny ask ask allow allow'],
    ['a command that writes', 'echo x > out.txt', 'deny deny ask ask allow allow'],
    ['a command that leaves the workspace', 'cp README.md ../other/', 'deny deny ask ask ask allow'],
    ['a command that changes to a folder outside', 'cd .. && make', 'deny deny ask ask ask allow'],
    ['a command with other rights', 'sudo make install', 'deny deny ask ask ask allow'],
    ['an upload', 'curl -d @README.md https://example.org', 'deny deny ask ask ask allow'],
    ['a download', 'curl -sO https://example.org/x.tgz', 'deny deny ask ask allow allow'],
    ['a push', 'git push origin main', 'deny deny ask ask ask allow'],
    ['a command that cannot be read', 'echo "', 'deny deny ask ask ask allow'],
    ['a command word from a variable', '$TOOL x', 'deny deny ask ask ask allow'],
    ['a catastrophe', 'rm -rf / --no-preserve-root', 'deny deny deny deny deny deny'],
    ['a catastrophe in a text that cannot be read', 'rm -rf ~; echo "', 'deny deny deny deny deny deny'],
  ])('%s', (_title, command, decisions) => {
    expect(column((mode) => bashCall(command, { mode, cwd: workspace }))).toBe(decisions);
  });

  it.each([
    ['none', 'allow allow allow allow allow allow'],
    ['read', 'allow allow allow allow allow allow'],
    ['write', 'deny deny ask allow allow allow'],
    ['exec', 'deny deny ask ask allow allow'],
    ['net', 'deny deny ask ask allow allow'],
  ] as const)('a tool of effect %s that names nothing', (effect, decisions) => {
    expect(column((mode) => ({ tool: 'mcp__x__y', effect, input: {}, resources: [], mode }))).toBe(decisions);
  });

  it('asks for the network by host', () => {
    const fetch = (mode: PermissionMode): PermissionCall => ({
      tool: 'web_fetch',
      effect: 'net',
      input: { url: 'https://Docs.example.org/x' },
      resources: [{ kind: 'host', host: 'Docs.example.org' }],
      mode,
    });
    expect(column(fetch)).toBe('deny deny ask ask allow allow');
    expect(gate.decide(fetch('prompt')).suggestedRule).toBe('WebFetch(domain:docs.example.org)');
  });
});

describe('whatever is called', () => {
  const strictness = { allow: 0, ask: 1, deny: 2 };
  const words = fc.constantFrom(
    'ls',
    'cat',
    'rm',
    '-rf',
    'src',
    '.env',
    '..',
    '/',
    '|',
    '&&',
    ';',
    '> out',
    'git',
    'push',
    'status',
    '$X',
    '"a b"',
    'sudo',
    'curl',
    '$(id)',
    'sed -n 1p',
    '~',
    '&',
    'bash -c "ls"',
  );
  const file = fc.constantFrom(
    'src/a.ts',
    '.git/config',
    '.env',
    '../x.txt',
    '/etc/hosts',
    '.llmcode/config.json',
    'new/x',
  );
  const effect = fc.constantFrom<ToolEffect>('read', 'write', 'exec', 'net', 'none');
  const call = fc.oneof(
    fc
      .array(words, { minLength: 1, maxLength: 7 })
      .map((list) => (mode: PermissionMode) => bashCall(list.join(' '), { mode, cwd: workspace })),
    fc.tuple(file, fc.constantFrom<'read' | 'write'>('read', 'write')).map(
      ([name, access]) =>
        (mode: PermissionMode) =>
          fileCall(path.resolve(workspace, name), { mode, access }),
    ),
    effect.map(
      (one) =>
        (mode: PermissionMode): PermissionCall => ({
          tool: 'other',
          effect: one,
          input: {},
          resources: [],
          mode,
        }),
    ),
  );

  it('a freer mode is never stricter, and there is always a reason', () => {
    fc.assert(
      fc.property(call, (make) => {
        const decisions = permissionModes.map((mode) => gate.decide(make(mode)));
        const levels = decisions.map(({ decision }) => strictness[decision]);
        expect(levels).toEqual([...levels].sort((one, other) => other - one));
        expect(decisions.every(({ reasons }) => reasons.length > 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('plan mode never lets anything change, whatever the rules allow', () => {
    const generous = makeGate(place, {
      rules: { allow: ['Bash', 'Edit', 'Write', 'WebFetch', 'other', 'Read(//**)', 'Edit(//**)'] },
    });
    fc.assert(
      fc.property(call, (make) => {
        expect(generous.decide(make('plan')).decision).toBe(gate.decide(make('plan')).decision);
      }),
      { numRuns: 200 },
    );
  });

  it('a command of a shell that is not analysed is asked for', () => {
    const powershell: PermissionCall = {
      tool: 'powershell',
      effect: 'exec',
      input: {},
      resources: [{ kind: 'command', command: 'Get-ChildItem', cwd: workspace }],
      mode: 'prompt',
    };
    expect(gate.decide(powershell)).toMatchObject({
      decision: 'ask',
      reasons: [{ check: 'unsupported-shell' }],
    });
    expect(gate.decide({ ...powershell, mode: 'auto_accept' }).decision).toBe('ask');
  });

  it.each([
    'pwsh -c ls',
    'PowerShell.exe -Command x',
    '/opt/microsoft/pwsh --version',
    'powershell',
    './build.ps1',
    'env pwsh -c ls',
    "bash -c 'pwsh -c ls'",
    'find . -name x -exec pwsh {} +',
    "fish -c 'ls'",
    'cmd.exe /c dir',
  ])('nor does any mode below full access allow it as a command: %s', (command) => {
    expect(column((mode) => bashCall(command, { mode, cwd: workspace }))).toBe('deny deny ask ask ask allow');
    expect(judge(gate, place, command).suggestedRule).toBeUndefined();
  });

  describe('the start of a language server', () => {
    const start = (command: string) => (mode: PermissionMode) => ({
      tool: 'lsp_definition',
      effect: 'read' as const,
      input: { path: 'src/a.ts' },
      resources: [
        { kind: 'path' as const, path: at('src/a.ts'), access: 'read' as const },
        { kind: 'command' as const, command, cwd: workspace },
      ],
      mode,
    });
    const foreign = start('/usr/bin/some-server --stdio');

    it('is judged like a command, and a rule for the tool covers it', () => {
      expect(column(foreign)).toBe('deny deny ask ask allow allow');
      expect(gate.decide(foreign('prompt')).suggestedRule).toBe('lsp_definition');
      const ruled = makeGate(place, { rules: { allow: ['lsp_definition'] } });
      expect(ruled.decide(foreign('prompt')).decision).toBe('allow');
      expect(ruled.decide({ ...foreign('prompt'), tool: 'lsp_symbols' }).decision).toBe('ask');
    });

    it.each([
      path.join(workspace, 'node_modules/.bin/some-server'),
      'some-server --stdio',
      `/usr/bin/some-server --stdio; ${workspace}/evil`,
    ])('is asked for whatever the rules say when a repository may have brought it: %s', (command) => {
      const ruled = makeGate(place, { rules: { allow: ['lsp_definition', 'lsp_*'] } });
      const inTree = start(command);
      expect(column(inTree)).toBe('deny deny ask ask ask allow');
      expect(ruled.decide(inTree('auto_accept'))).toMatchObject({ decision: 'ask' });
      expect(ruled.decide(inTree('auto_accept')).suggestedRule).toBeUndefined();
    });
  });

  describe('a hard link', () => {
    const link = (from: string, to: string) => {
      linkSync(from, at(to));
      return at(to);
    };
    const secret = link(at('.env'), 'notes.txt');
    const deep = link(at('.env'), 'src/notes.txt');
    const key = link(path.join(userHome, '.ssh/id_rsa'), 'readme.txt');
    const git = link(at('.git/config'), 'settings.txt');
    const own = link(at('.llmcode/config.json'), 'plain.json');

    it.each([
      ['reading a secret', 'read', secret, 'deny deny ask ask ask allow'],
      ['reading a secret from a folder below', 'read', deep, 'deny deny ask ask ask allow'],
      ['reading a key of the home folder', 'read', key, 'deny deny ask ask ask allow'],
      ['changing a secret', 'write', secret, 'deny deny ask ask ask allow'],
      ['changing the settings of the repository', 'write', git, 'deny deny ask ask ask allow'],
      ['changing our own settings', 'write', own, 'deny deny deny deny deny deny'],
      ['reading what is no secret', 'read', at('src/twin.ts'), 'allow allow allow allow allow allow'],
      ['reading the settings of the repository', 'read', git, 'allow allow allow allow allow allow'],
    ] as const)('is judged by its other name: %s', (_title, access, file, decisions) => {
      expect(column((mode) => fileCall(file, { mode, access }))).toBe(decisions);
    });

    it('is judged so in a command too, and the reason names the other file', () => {
      const { decision, reasons } = judge(gate, place, 'cat notes.txt', 'auto_accept');
      expect([decision, reasons[0]?.text]).toEqual([
        'ask',
        'notes.txt (the same file as .env): touches a file that holds credentials',
      ]);
      const denied = makeGate(place, { rules: { deny: ['Read(.env)'] } });
      expect(judge(denied, place, 'head -1 src/notes.txt').decision).toBe('deny');
    });
  });

  it('a workspace that is the whole disk gives no rights', () => {
    const everything = makeGate(place, { roots: ['/'], cwd: '/' });
    expect(
      everything.decide(fileCall('/opt/x.txt', { mode: 'workspace_write', access: 'write' })).decision,
    ).toBe('ask');
  });
});

describe('the reasons', () => {
  it('name the check, the piece and the target of a link', () => {
    expect(judge(gate, place, 'ls; sort -o out.txt README.md').reasons).toEqual([
      { check: 'option', text: '-o: is not known to only read' },
    ]);
    const linked = gate.decide(fileCall(at('notes.md'), { mode: 'prompt', access: 'write' }));
    // In a folder with a long name the middle is left out.
    expect(linked.reasons[0]?.text).toMatch(/^\/.*(?: -> |…).*\.ssh\/authorized_keys: /);
  });
});
