import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScratchFolder } from '#lib/scratch-folder.ts';
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
  absent: ['/w/.mcp.json'],
  switches: ['/proc/sys'],
  emptied: ['/run', '/h/u/.llmcode'],
  closedFolders: ['/h/u/.ssh'],
  closedFiles: ['/h/u/.net"rc', '/w/api/.env'],
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
  // What is not there yet cannot be made either.
  expect(text).toMatch(/\(deny file-write\* .*\(subpath "\/w\/\.mcp\.json"\)\)/);
  expect(text).toContain(
    '(deny file-read* file-write* (subpath "/run") (subpath "/h/u/.llmcode") (subpath "/h/u/.ssh")',
  );
  expect(text).toContain('(literal "/h/u/.net\\"rc")');
  expect(text).toContain('(deny network*)');
  expect(text).not.toContain('(remote ip');
  const withProxy = seatbeltProfile({ ...profile, proxyPort: 4_242 }).split('\n');
  const at = (rule: string) => withProxy.indexOf(rule);
  expect(at('(allow network-outbound (remote ip "localhost:4242"))')).toBeGreaterThan(at('(deny network*)'));
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
    else if (op === 0x45) at += value & k ? yes : no;
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
  const rights = (nr: number, args: number[]) => judged(filter, { nr, arch, args });
  expect(rights(90, [0, 0o4755])).toBe(refuse);
  expect(rights(90, [0, 0o2775])).toBe(pass);
  expect(rights(268, [0, 0, 0o4755])).toBe(refuse);
  expect(rights(257, [0, 0, 0x41, 0o4755])).toBe(refuse);
  expect(rights(257, [0, 0, 0x41, 0o755])).toBe(pass);
  // Without making a file the last argument is whatever happens to be there.
  expect(rights(257, [0, 0, 0, 0o4755])).toBe(pass);
  expect(rights(437, [])).toBe(0x00050026);
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
  ["Error: EACCES: permission denied, open 'api/.env'", true],
  ['cat: .env: Permission denied', true],
  ['cat: x.env: Permission denied', false],
  ['error: gpg failed to sign the data', true],
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
    expect(decide(command, options).grant).toMatchObject({ isGranted, needsOutside });
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

it('a folder for temporary files needs no permission, wherever it is named, and leads nowhere else', () => {
  const { root, home } = folders();
  const scratch = mkdtempSync(path.join(tmpdir(), 'sandbox-scratch-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  symlinkSync(root, path.join(scratch, 'link'));
  const settings = permissionSettings.parse({});
  const gate = createPermissionGate({
    ...{ settings, sources: [], cwd: root, roots: [root], home, userHome: home, scratch },
  });
  const decide = (command: string, mode: PermissionMode = 'prompt') =>
    gate.decide({
      ...{ tool: 'bash', effect: 'exec', input: { command }, mode },
      resources: [{ kind: 'command', command, cwd: root }],
    }).decision;
  for (const command of [
    'echo x > "$TMPDIR/a"',
    `cat <<E > ${scratch}/script.py\nprint(1)\nE`,
    'mkdir -p $TMPDIR/b/c && touch ${TMPDIR}/b/c/d && rm -r $TMPDIR/b',
    'ls | tee $TMPDIR/list | head -n 3; cat $TMPDIR/list',
  ])
    expect([command, decide(command)]).toEqual([command, 'allow']);
  for (const command of [
    'echo x > "$TMPDIR/link/a"',
    'echo x > $TMPDIR/../a',
    'TMPDIR=/etc; echo x > $TMPDIR/a',
    'mv package.json $TMPDIR/',
    'cp ~/.ssh/id_rsa $TMPDIR/',
    'bash $TMPDIR/script.sh',
    'mkdir $TMPDIR/a other',
    'echo x > /tmp/a',
  ])
    expect([command, decide(command)]).toEqual([command, 'ask']);
  expect(decide('echo x > $TMPDIR/a', 'read_only')).toBe('deny');
  const write = (file: string, mode: PermissionMode = 'prompt') =>
    gate.decide({
      ...{ tool: 'write_file', effect: 'write', input: { path: file, content: '' }, mode },
      resources: [{ kind: 'path', path: file, access: 'write' }],
    }).decision;
  expect(write(path.join(scratch, 'new', 'a.txt'))).toBe('allow');
  expect(write(path.join(scratch, 'link', 'a.txt'))).toBe('ask');
  expect(write(path.join(scratch, 'a.txt'), 'plan')).toBe('deny');
});

it('such a folder is of its owner alone, has a name of its own, and is gone after its thread', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'sandbox-scratch-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [one, other] = [createScratchFolder(parent), createScratchFolder(parent)];
  expect(statSync(one.folder).mode & 0o777).toBe(0o700);
  expect(one.folder).not.toBe(other.folder);
  writeFileSync(path.join(parent, 'kept'), '');
  symlinkSync(path.join(parent, 'kept'), path.join(one.folder, 'link'));
  one.remove();
  rmSync(other.folder, { recursive: true });
  symlinkSync(parent, other.folder);
  other.remove();
  expect(readdirSync(parent).sort()).toEqual(['kept', path.basename(other.folder)].sort());
});
