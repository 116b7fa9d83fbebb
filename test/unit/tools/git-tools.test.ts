import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPermissionGate } from '#permissions/gate.ts';
import { permissionSettings } from '#permissions/settings.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

function repository(): ToolBench & { git(...args: string[]): string; put(name: string, text: string): void } {
  const bench = toolBench();
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  Object.assign(bench.ctx, { childEnv: { ...bench.ctx.childEnv, ...identity } });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: bench.folder, encoding: 'utf8', env: { ...bench.ctx.childEnv } });
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(bench.folder, name)), { recursive: true });
    writeFileSync(path.join(bench.folder, name), text);
  };
  git('init', '-q', '-b', 'main');
  put('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  return { ...bench, git, put };
}

test('status, diff and log show what git shows', async () => {
  const repo = repository();
  repo.put('a.txt', 'two\n');
  repo.put('new file.txt', 'x\n');
  const [status, diff, log] = [
    await repo.run('git_status', {}),
    await repo.run('git_diff', { path: 'a.txt' }),
    await repo.run('git_log', {}),
  ];
  expect(textOf(status)).toBe('## main\n M a.txt\n?? "new file.txt"');
  expect(status.view).toMatchObject({
    kind: 'table',
    rows: [
      [' M', 'a.txt'],
      ['??', '"new file.txt"'],
    ],
  });
  expect(textOf(diff)).toContain('-one\n+two');
  expect(textOf(log)).toMatch(/^\w{7,}\t\d{4}-\d\d-\d\d\tA\tfirst$/);
  expect(textOf(await repo.run('git_diff', { staged: true }))).toBe('No changes.');
});

test('looking runs nothing that the repository names', async () => {
  const repo = repository();
  const planted = path.join(repo.folder, 'ran');
  const script = `#!/bin/sh\necho "$0 $*" >> ${planted}\ncat\n`;
  const plant = (name: string) => {
    repo.put(name, script);
    chmodSync(path.join(repo.folder, name), 0o755);
    return path.join(repo.folder, name);
  };
  const evil = plant('evil.sh');
  repo.put('.gitattributes', '* diff=x filter=a=b\n');
  repo.put('a.txt', 'two\n');
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction'])
    plant(`hooks/${hook}`);
  for (const key of ['fsmonitor', 'pager', 'sshCommand', 'editor']) repo.git('config', `core.${key}`, evil);
  repo.git('config', 'core.hooksPath', path.join(repo.folder, 'hooks'));
  repo.put('evil.inc', `[filter "a=b"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired\n`);
  repo.git('config', 'include.path', path.join(repo.folder, 'evil.inc'));
  for (const key of ['diff.external', 'diff.x.textconv', 'diff.x.command', 'gpg.program', 'alias.status'])
    repo.git('config', key, evil);
  repo.git('config', 'log.showSignature', 'true');
  repo.git('config', 'core.worktree', path.join(repo.folder, '..'));
  plant('bin/git');
  const childEnv = { ...repo.ctx.childEnv, PATH: `${repo.folder}/bin:${repo.ctx.childEnv['PATH']}` };
  const results = [
    await repo.run('git_status', {}, { childEnv }),
    await repo.run('git_diff', {}, { childEnv }),
    await repo.run('git_log', {}, { childEnv }),
    await repo.run('git_stash', { action: 'list' }, { childEnv }),
    await repo.run('git_branch', { action: 'list' }, { childEnv }),
  ];
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 'ok'));
  expect(textOf(results[0] as ToolResult)).toContain(' M a.txt');
  expect(textOf(results[1] as ToolResult)).toContain('-one\n+two');
  expect(existsSync(planted) ? readFileSync(planted, 'utf8') : 'nothing').toBe('nothing');
});

test('a filter of the person’s own goes on working where the repository names another in its place', async () => {
  const repo = repository();
  repo.put('.gitattributes', '* filter=x\n');
  repo.put('a.txt', 'TWO\n');
  repo.git('config', 'filter.x.clean', 'evil');
  const own = { GIT_CONFIG_GLOBAL: path.join(repo.folder, '..', 'own') };
  repo.put('../own', '[filter "x"]\n\tclean = tr A-Z a-z\n');
  const childEnv = { ...repo.ctx.childEnv, ...own };
  expect(textOf(await repo.run('git_diff', {}, { childEnv }))).toContain('-one\n+two');
});

describe('git_commit', () => {
  test('commits the given files only, and runs the hooks that a commit runs', async () => {
    const repo = repository();
    repo.put('.git/hooks/pre-commit', '#!/bin/sh\necho ran >> hook.log\n');
    chmodSync(path.join(repo.folder, '.git/hooks/pre-commit'), 0o755);
    repo.put('b.txt', 'b\n');
    repo.put('c.txt', 'c\n');
    repo.git('add', 'c.txt');
    const result = await repo.run('git_commit', { message: "It's $HOME\n\nbody", files: ['b.txt'] });
    expect(result.status).toBe('ok');
    expect(repo.git('show', '--name-only', '--format=%B', 'HEAD').trim()).toBe(
      "It's $HOME\n\nbody\n\n\nb.txt",
    );
    expect(readFileSync(path.join(repo.folder, 'hook.log'), 'utf8')).toBe('ran\n');
    expect(repo.git('status', '--short')).toContain('A  c.txt');
  });

  test('without files it takes what is staged, else everything', async () => {
    const repo = repository();
    repo.put('b.txt', 'b\n');
    repo.put('c.txt', 'c\n');
    repo.git('add', 'b.txt');
    await repo.run('git_commit', { message: 'staged' });
    await repo.run('git_commit', { message: 'all' });
    expect(repo.git('log', '--name-only', '--format=%s', '-2').trim()).toBe('all\n\nc.txt\nstaged\n\nb.txt');
    const none = await repo.run('git_commit', { message: 'none' });
    expect([none.status, textOf(none)]).toEqual(['error', expect.stringContaining('nothing to commit')]);
  });

  test.each([
    ['.env', 'A=b\n', 'secret_file', '.env'],
    ['deep/id_rsa', 'x\n', 'secret_file', 'deep/id_rsa'],
    [
      'src/a.ts',
      `line\nconst key = "sk-${'abcdefgh1234567890XY'}";\n`,
      'secret_content',
      'src/a.ts:2 (provider-key)',
    ],
  ])('never commits %s', async (name, content, code, words) => {
    const repo = repository();
    repo.put('fine.txt', 'fine\n');
    repo.put(name, content);
    const before = repo.git('status', '--short');
    for (const input of [{ message: 'm' }, { message: 'm', files: [name] }]) {
      const result = await repo.run('git_commit', input);
      expect([result.status, result.code]).toEqual(['error', code]);
      expect(textOf(result)).toContain(words);
    }
    expect([repo.git('status', '--short'), repo.git('log', '--format=%s').trim()]).toEqual([before, 'first']);
  });
});

test('branches, stashes and pushes do what they say, and refuse what is no name', async () => {
  const repo = repository();
  repo.git('init', '-q', '--bare', path.join(repo.folder, '..', 'remote.git'));
  repo.git('remote', 'add', 'origin', path.join(repo.folder, '..', 'remote.git'));
  const made = await repo.run('git_branch', { action: 'create', name: 'side' });
  expect(textOf(made)).toMatch(/The branch now is \w+; side was made and not switched to\.$/);
  const switched = await repo.run('git_branch', { action: 'switch', name: 'side' });
  expect(textOf(switched)).toMatch(/The branch now is side\.$/);
  expect(repo.git('branch', '--show-current').trim()).toBe('side');
  repo.put('a.txt', 'stashed\n');
  await repo.run('git_stash', { action: 'push', message: 'mine' });
  expect(readFileSync(path.join(repo.folder, 'a.txt'), 'utf8')).toBe('one\n');
  expect(textOf(await repo.run('git_stash', { action: 'list' }))).toContain('mine');
  await repo.run('git_stash', { action: 'pop' });
  expect((await repo.run('git_push', {})).summary).toBe('pushed');
  expect(repo.git('rev-parse', 'origin/side')).toBe(repo.git('rev-parse', 'HEAD'));
  const odd = ['--force', '+main', 'a:b', '-d', 'a b', 'a..b', ''];
  expect(odd.filter((branch) => repo.tool('git_push').input.safeParse({ branch }).success)).toEqual([]);
  expect((await repo.run('git_branch', { action: 'delete' })).code).toBe('invalid_argument');
});

test('outside a repository it is said', async () => {
  const result = await toolBench().run('git_status', {});
  expect([result.code, textOf(result)]).toEqual(['no_repository', 'This folder is not in a git repository.']);
});

test('rules and modes judge them as the commands that they are', () => {
  const { folder, tool, ctx } = repository();
  const decide = (
    name: string,
    input: unknown,
    mode: PermissionMode,
    rules: { deny?: string[]; allow?: string[] } = {},
  ) => {
    const sources = [{ file: 'test', origin: 'user' as const, allow: [], ask: [], deny: [], ...rules }];
    const home = path.join(folder, '..', 'home');
    const gate = createPermissionGate({
      settings: permissionSettings.parse({}),
      sources,
      cwd: folder,
      roots: [folder],
      home,
      userHome: home,
    });
    const { effect, touches } = tool(name);
    return gate.decide({ tool: name, effect, input: input as never, resources: touches(input, ctx), mode })
      .decision;
  };
  const looks: [string, unknown][] = [
    ['git_status', {}],
    ['git_diff', { staged: true, path: 'a.txt' }],
    ['git_diff', { commit: 'HEAD~1' }],
    ['git_log', { path: 'a b.txt' }],
    ['git_stash', { action: 'list' }],
    ['git_branch', { action: 'list' }],
  ];
  expect(looks.map(([name, input]) => decide(name, input, 'plan'))).toEqual(looks.map(() => 'allow'));
  const commit = { message: "it's; rm -rf / `x` $(y)" };
  expect([decide('git_commit', commit, 'plan'), decide('git_commit', commit, 'prompt')]).toEqual([
    'deny',
    'ask',
  ]);
  expect(decide('git_commit', commit, 'full_access', { deny: ['Bash(git commit:*)'] })).toBe('deny');
  expect(decide('git_commit', commit, 'prompt', { allow: ['git_commit'] })).toBe('allow');
  expect([decide('git_push', {}, 'workspace_write'), decide('git_push', {}, 'auto_accept')]).toEqual([
    'ask',
    'ask',
  ]);
});

test('in a repository without a commit the list of branches says so', async () => {
  const bench = toolBench();
  execFileSync('git', ['init', '-q'], { cwd: bench.folder });
  const listed = await bench.run('git_branch', { action: 'list' });
  expect([listed.status, textOf(listed)]).toEqual([
    'ok',
    'There is no branch yet: nothing was committed here.',
  ]);
});
