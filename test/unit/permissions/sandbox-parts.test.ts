import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPermissionGate } from '#permissions/gate.ts';
import { bubblewrapArgs } from '#permissions/sandbox/bubblewrap.ts';
import type { SandboxProgram } from '#permissions/sandbox/find-program.ts';
import { findObstacle } from '#permissions/sandbox/obstacle.ts';
import type { SandboxProfile } from '#permissions/sandbox/profile.ts';
import { createSandbox } from '#permissions/sandbox/sandbox.ts';
import { seatbeltProfile } from '#permissions/sandbox/seatbelt.ts';
import { socketPaths } from '#permissions/sandbox/sockets.ts';
import { syscallFilter } from '#permissions/sandbox/syscall-filter.ts';
import { permissionSettings } from '#permissions/settings.ts';
import type { PermissionMode } from '#protocol/permission.ts';

const profile: SandboxProfile = {
  cwd: '/w',
  network: false,
  tmp: '/state/tmp',
  tmpFolders: ['/tmp'],
  writable: ['/w', '/h/u/.npm'],
  pinned: ['/w/.git'],
  readOnly: ['/w/.git/hooks', '/h/u/.llmcode/threads/t'],
  emptied: ['/run', '/h/u/.llmcode'],
  closedFolders: ['/h/u/.ssh'],
  closedFiles: ['/h/u/.net"rc'],
  blankFiles: ['/h/u/.npmrc'],
  closedFile: '/state/closed',
  env: {},
};

describe('the arguments of bubblewrap', () => {
  const args = bubblewrapArgs(profile, { hasUserLimit: true, hasFilter: true }).join(' ');

  it('always drop every right and make new namespaces', () => {
    expect(args).toMatch(
      /^--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --seccomp 4 --ro-bind \/ \/ /,
    );
    expect(
      bubblewrapArgs({ ...profile, network: true }, { hasUserLimit: false, hasFilter: false }),
    ).toContain('--share-net');
  });

  it('lay what is deeper on top, a folder onto itself before what is fixed in it', () => {
    const at = (mount: string) => {
      expect(args).toContain(mount);
      return args.indexOf(mount);
    };
    expect(at('--bind /w /w')).toBeLessThan(at('--bind /w/.git /w/.git'));
    expect(at('--bind /w/.git /w/.git')).toBeLessThan(at('--ro-bind /w/.git/hooks /w/.git/hooks'));
    expect(at('--perms 0711 --tmpfs /h/u/.llmcode')).toBeLessThan(at('--ro-bind /h/u/.llmcode/threads/t'));
    expect(at('--perms 0000 --tmpfs /h/u/.ssh')).toBeLessThan(at('--remount-ro /h/u/.ssh'));
  });
});

it('the profile for macOS denies writing, keys and the network, and quotes names', () => {
  const text = seatbeltProfile(profile);
  expect(text.split('\n').slice(0, 4)).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/w") (subpath "/h/u/.npm") (subpath "/w/.git") (subpath "/state/tmp"))',
  ]);
  expect(text).toContain('(deny file-write* (literal "/w/.git") (subpath "/w/.git/hooks")');
  expect(text).toContain(
    '(deny file-read* file-write* (subpath "/run") (subpath "/h/u/.llmcode") (subpath "/h/u/.ssh")',
  );
  expect(text).toContain('(literal "/h/u/.net\\"rc")');
  expect(text).toContain('(deny network*)');
  expect(seatbeltProfile({ ...profile, network: true })).not.toContain('(deny network*)');
});

/** Runs a classic BPF program of the kinds that the filter uses. */
function judged(filter: Uint8Array, call: { nr: number; arch: number; args?: number[] }): number {
  const code = Buffer.from(filter);
  const words = new Map([
    [0, call.nr],
    [4, call.arch],
    ...(call.args ?? []).map((arg, index) => [16 + 8 * index, arg] as const),
  ]);
  let value = 0;
  for (let at = 0; at < code.length / 8; at += 1) {
    const [op, yes, no, k] = [
      code.readUInt16LE(at * 8),
      code[at * 8 + 2] ?? 0,
      code[at * 8 + 3] ?? 0,
      code.readUInt32LE(at * 8 + 4),
    ];
    if (op === 0x20) value = words.get(k) ?? 0;
    else if (op === 0x06) return k;
    else if (op === 0x05) at += k;
    else if (op === 0x15) at += value === k ? yes : no;
    else if (op === 0x35) at += value >= k ? yes : no;
    else throw new Error(`an operation that is not known: ${op}`);
  }
  throw new Error('the program has no end');
}

it('the filter refuses what leaves the namespaces and lets ordinary calls pass', () => {
  const arch = 0xc000003e;
  const filter = syscallFilter('x64') ?? new Uint8Array();
  const [pass, refuse] = [0x7fff0000, 0x00050001];
  expect(judged(filter, { nr: 0, arch })).toBe(pass);
  expect(judged(filter, { nr: 250, arch })).toBe(refuse);
  expect(judged(filter, { nr: 425, arch })).toBe(0x00050026);
  expect(judged(filter, { nr: 16, arch, args: [0, 0x5412] })).toBe(refuse);
  expect(judged(filter, { nr: 16, arch, args: [0, 0x541c] })).toBe(refuse);
  expect(judged(filter, { nr: 16, arch, args: [0, 0x5401] })).toBe(pass);
  for (const family of [1, 2, 10, 16]) expect(judged(filter, { nr: 41, arch, args: [family] })).toBe(pass);
  expect(judged(filter, { nr: 41, arch, args: [40] })).toBe(0x00050061);
  expect(judged(filter, { nr: 0, arch: 0x40000003 })).toBe(refuse);
  expect(judged(filter, { nr: 0x40000000 + 41, arch })).toBe(refuse);
  expect(judged(syscallFilter('arm64') ?? new Uint8Array(), { nr: 219, arch: 0xc00000b7 })).toBe(refuse);
});

it.each([
  ["touch: cannot touch '/opt/x': Read-only file system", true],
  ['Error: EROFS: read-only file system, open', true],
  ['connect ECONNREFUSED 127.0.0.1:5432', true],
  ['cat: /h/u/.ssh/id_rsa: Permission denied', true],
  ['git@github.com: Permission denied (publickey).', true],
  ['./run.sh: Permission denied', false],
  ["cat: 'x.txt': No such file or directory", false],
  ['3 tests failed', false],
])('%s: the sandbox stood in the way: %s', (line, isObstacle) => {
  expect(findObstacle(`before\n${line}\nafter`, profile)).toBe(isObstacle ? line : undefined);
});

it('a refused connection has nothing to do with a sandbox that has the network', () => {
  expect(findObstacle('connect ECONNREFUSED', { ...profile, network: true })).toBeUndefined();
});

it('the sockets of the machine are read from its table', () => {
  const table = `Num RefCount Protocol Flags Type St Inode Path
00: 00000002 00000000 00010000 0001 01 100 /run/a b.sock
01: 00000002 00000000 00010000 0001 01 101 @abstract
02: 00000002 00000000 00000000 0002 01 102`;
  expect(socketPaths(table)).toEqual(['/run/a b.sock']);
});

function folders() {
  const base = mkdtempSync(path.join(tmpdir(), 'sandbox-parts-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, home] = [path.join(base, 'work'), path.join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  return { root, home };
}

const missing = async (): Promise<SandboxProgram> => ({ kind: 'none', why: 'bubblewrap is not installed' });

it('without a program `auto` runs outside, and `required` runs nothing and says what to do', async () => {
  const { root, home } = folders();
  const placeWith = (sandbox: unknown) => {
    const settings = permissionSettings.parse({ sandbox }).sandbox;
    const made = createSandbox({
      settings: () => settings,
      roots: [root],
      home,
      userHome: home,
      find: missing,
    });
    return made.placeFor({ cwd: root, filesDir: home, grant: { isGranted: true, needsOutside: false } });
  };
  expect(await placeWith('auto')).toEqual({ kind: 'outside' });
  expect(await placeWith('off')).toEqual({ kind: 'outside' });
  expect(await placeWith({ mode: 'required' })).toMatchObject({
    kind: 'refused',
    text: expect.stringContaining('bubblewrap is not installed'),
  });
});

describe('what a sandbox leaves a command', () => {
  const decide = (
    command: string,
    {
      mode = 'prompt',
      allow = [],
      isHeld = false,
    }: { mode?: PermissionMode; allow?: string[]; isHeld?: boolean } = {},
  ) => {
    const { root, home } = folders();
    const gate = createPermissionGate({
      settings: permissionSettings.parse({}),
      sources: [{ file: 'test', origin: 'user', allow, ask: ['Bash(npm run risky)'], deny: [] }],
      cwd: root,
      roots: [root],
      home,
      userHome: home,
      holdsUnasked: () => isHeld,
    });
    const resources = [{ kind: 'command' as const, command, cwd: root }];
    return gate.decide({ tool: 'bash', effect: 'exec', input: { command }, resources, mode });
  };

  it.each([
    ['ls', {}, false, false],
    ['npm install', {}, true, false],
    ['npm test', { mode: 'auto_accept' as const }, true, false],
    ['git push', {}, true, true],
    ['git add -A && git commit -m x && git push', {}, true, true],
    ['git push', { allow: ['Bash(git push)'] }, true, true],
    ['git fetch', { mode: 'auto_accept' as const }, true, false],
    ['docker ps', { mode: 'full_access' as const }, true, true],
    ['git push; node evil.js', {}, true, false],
    ['bash -c "git push"', {}, true, false],
    ['cat ~/.ssh/id_rsa', {}, true, false],
  ])('%s %j', (command, options, isGranted, needsOutside) => {
    expect(decide(command, options).grant).toEqual({ isGranted, needsOutside });
  });

  it('a sandbox that may hold commands lets those that stay in the workspace run unasked', () => {
    for (const command of ['npm test', 'node build.js', 'make > build.log', 'touch x'])
      expect(decide(command, { isHeld: true })).toMatchObject({
        decision: 'allow',
        reasons: [{ check: 'sandboxed' }],
        grant: { isGranted: false, needsOutside: false },
      });
    for (const command of [
      'npm install',
      'curl https://example.org',
      'touch /opt/x',
      'cat ~/.ssh/id_rsa',
      'npm run risky',
    ])
      expect([command, decide(command, { isHeld: true }).decision]).toEqual([command, 'ask']);
    expect(decide('rm -rf /', { isHeld: true }).decision).toBe('deny');
    expect(decide('npm test', { isHeld: true, mode: 'plan' }).decision).toBe('deny');
  });
});
