import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { childEnvironment } from '#lib/child-env.ts';

test('secrets are gone and their names are told', () => {
  const env = childEnvironment({
    HOME: '/home/me',
    OPENAI_API_KEY: 'sk-1',
    AWS_SECRET_ACCESS_KEY: 'x',
    github_token: 'x',
    DB_PASSWORD: 'x',
    MY_CREDENTIALS: 'x',
    DEPLOY_PRIVATE_KEY: 'x',
    NPM_AUTH_X: 'x',
    RAILS_MASTER_KEY: 'x',
    SSH_AUTH_SOCK: '/run/agent',
    GIT_AUTHOR_NAME: 'me',
    LANG: 'C.UTF-8',
    EMPTY: undefined,
  });
  expect(env).toEqual({
    HOME: '/home/me',
    SSH_AUTH_SOCK: '/run/agent',
    GIT_AUTHOR_NAME: 'me',
    LANG: 'C.UTF-8',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    MANPAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'safe.bareRepository',
    GIT_CONFIG_VALUE_1: 'explicit',
    DEBIAN_FRONTEND: 'noninteractive',
    PYTHONUNBUFFERED: '1',
    TERM: 'dumb',
    LLMCODE: '1',
    LLMCODE_HIDDEN_ENV:
      'AWS_SECRET_ACCESS_KEY,DB_PASSWORD,DEPLOY_PRIVATE_KEY,MY_CREDENTIALS,NPM_AUTH_X,OPENAI_API_KEY,RAILS_MASTER_KEY,github_token',
  });
});

test('no folder of the repository can choose which program runs', () => {
  const env = childEnvironment({ PATH: '/usr/bin:.:bin::./x:/bin', BASH_ENV: '/repo/.env.sh' });
  expect(env['PATH']).toBe('/usr/bin:/bin');
  expect(env).not.toHaveProperty('BASH_ENV');
  // An empty PATH would mean the working folder.
  expect(childEnvironment({ PATH: '.:' })['PATH']).toBe('/usr/local/bin:/usr/bin:/bin');
});

test('what npm says about our own package does not reach the person’s commands', () => {
  const env = childEnvironment({
    npm_package_name: 'llmcode',
    npm_lifecycle_event: 'start',
    INIT_CWD: '/x',
    npm_config_registry: 'r',
  });
  expect(Object.keys(env).filter((name) => /npm|INIT/.test(name))).toEqual(['npm_config_registry']);
});

test('what would change the meaning of a command is gone', () => {
  const names = ['CDPATH', 'SHELLOPTS', 'RIPGREP_CONFIG_PATH', 'GIT_EXTERNAL_DIFF', 'BASH_FUNC_ls%%', 'ENV'];
  const env = childEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(names.filter((name) => name in env)).toEqual([]);
});

test('neither monitor nor pager in the git config of a repository runs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-git-'));
  const planted = path.join(folder, 'planted');
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: childEnvironment({ PATH: process.env['PATH'], HOME: folder }),
    });
  try {
    git('init', '-q');
    writeFileSync(path.join(folder, 'a.txt'), 'one\n');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'start');
    writeFileSync(path.join(folder, 'a.txt'), 'two\n');
    for (const key of ['core.fsmonitor', 'core.pager']) git('config', key, `touch ${planted}`);
    expect(git('status', '--short')).toContain('a.txt');
    expect(git('diff')).toContain('+two');
    expect(git('log', '-p')).toContain('+one');
    expect(existsSync(planted)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
