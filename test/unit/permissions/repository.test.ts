import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createPermissionGate } from '#permissions/gate.ts';
import { permissionSettings } from '#permissions/settings.ts';
import { bashCall, makeGate, makePlace, type Place, put } from './support.ts';

let place: Place;
afterEach(() => rmSync(place.base, { recursive: true, force: true }));

/** A workspace with a real repository. */
function repository(): { git(...args: string[]): void; at(name: string): string } {
  place = makePlace();
  rmSync(path.join(place.workspace, '.git'), { recursive: true });
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_ALLOW_PROTOCOL: 'file' };
  const git = (...args: string[]) =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: place.workspace,
      stdio: 'ignore',
      env,
    });
  git('init', '-q', '-b', 'main');
  git('add', 'src');
  git('commit', '-qm', 'first');
  return { git, at: (name) => path.join(place.workspace, name) };
}

function answer(command: string, cwd = place.workspace) {
  const { decision, reasons } = makeGate(place).decide(bashCall(command, { mode: 'prompt', cwd }));
  return decision === 'ask' ? reasons.map(({ check }) => check).join() : decision;
}

const looks = ['git status', 'git diff', 'git show', 'git log -p', 'git blame src/a.ts', 'git ls-files -m'];
const names = ['git branch', 'git rev-parse HEAD', 'git remote -v'];
const all = (commands: readonly string[], result: string) => commands.map(() => result);

describe('git commands that only look are asked for where the repository names a program that they would run', () => {
  it('none in an ordinary repository, nor with what people set in theirs', () => {
    const { git, at } = repository();
    git('config', 'core.hooksPath', '.husky/_');
    put(at('.husky/_/pre-commit'));
    git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    git('config', 'filter.lfs.process', 'git-lfs filter-process');
    git('config', 'diff.renames', 'true');
    git('config', 'branch.main.description', 'clean the external process');
    git('config', 'alias.st', 'status');
    expect([...looks, ...names].map((each) => answer(each))).toEqual(all([...looks, ...names], 'allow'));
  });

  it.each([
    ['filter.x.clean', 'evil'],
    ['filter.x.smudge', 'evil'],
    ['filter.x.process', 'evil'],
    ['filter.a=b.clean', 'evil'],
    ['diff.external', 'evil'],
    ['diff.x.textconv', 'evil'],
    ['diff.x.command', 'evil'],
    ['gpg.program', 'evil'],
    ['include.path', '../evil.inc'],
    ['includeIf.gitdir:**.path', '../evil.inc'],
    ['remote.origin.promisor', 'true'],
    ['core.worktree', '/'],
  ])('%s', (key, value) => {
    repository().git('config', key, value);
    expect(looks.map((each) => answer(each))).toEqual(all(looks, 'repository-program'));
    expect(names.map((each) => answer(each))).toEqual(all(names, 'allow'));
  });

  it.each([
    '[core][filter "x"]clean=evil',
    '[filter "x"]\r\n\tCLEAN = evil',
    '[filter "a]b"] process=evil',
    '[diff "x"]\n\ttextconv\n',
  ])('written as %j', (text) => {
    appendFileSync(repository().at('.git/config'), `${text}\n`);
    expect(answer('git diff')).toBe('repository-program');
  });

  it('also where another one begins, in a worktree, and in a submodule', () => {
    const { git, at } = repository();
    mkdirSync(at('vendor/nested'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: at('vendor/nested') });
    appendFileSync(at('vendor/nested/.git/config'), '[filter "x"]\n\tclean = evil\n');
    expect([answer('git diff'), answer('cd vendor/nested && git diff')]).toEqual([
      'allow',
      'repository-program',
    ]);
    git('worktree', 'add', '-q', path.join(place.outside, 'tree'));
    const tree = path.join(place.outside, 'tree');
    symlinkSync(tree, at('tree'));
    expect(answer('git diff')).toBe('allow');
    git('-C', 'vendor/nested', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('add', 'vendor/nested');
    expect(answer('git diff')).toBe('repository-program');
  });

  it('a hook that runs when git has looked', () => {
    const { git, at } = repository();
    put(at('.git/hooks/post-index-change'));
    expect(answer('git status')).toBe('repository-program');
    rmSync(at('.git/hooks/post-index-change'));
    git('config', 'core.hooksPath', 'tools/hooks');
    expect(answer('git status')).toBe('allow');
    put(at('tools/hooks/post-index-change'));
    expect(answer('git status')).toBe('repository-program');
  });

  it('a rule of the person covers it, and our own git tools need none: they run nothing of it', () => {
    repository().git('config', 'filter.x.clean', 'evil');
    const gate = makeGate(place, { rules: { allow: ['Bash(git diff:*)'] } });
    const command = 'git diff --no-ext-diff';
    expect(gate.decide(bashCall(command, { mode: 'prompt', cwd: place.workspace })).decision).toBe('allow');
    const own = { ...bashCall(command, { mode: 'prompt', cwd: place.workspace }), tool: 'git_diff' };
    expect(makeGate(place).decide({ ...own, effect: 'read' }).decision).toBe('allow');
  });
});

describe('a program of the workspace on PATH', () => {
  it('that an earlier command put there counts for the next, also where the one that is known starts it', () => {
    const { at } = repository();
    const { userHome, home, workspace, outside } = place;
    put(at('.venv/bin/ls'));
    put(at('lfs/git-lfs'));
    put(at('env/reader'));
    put(path.join(outside, 'cat'), '#!/usr/bin/env -S reader -x\n');
    const gate = createPermissionGate({
      settings: permissionSettings.parse({}),
      sources: [],
      ...{ cwd: workspace, roots: [workspace], home, userHome, searchPath: `${outside}:/usr/bin:/bin` },
    });
    const checks = (command: string, folder: string | undefined) => {
      const call = bashCall(command, { mode: 'prompt', cwd: workspace });
      const searchPath = folder === undefined ? {} : { searchPath: `${at(folder)}:${outside}:/usr/bin:/bin` };
      const resources = call.resources.map((each) => ({ ...each, ...searchPath }));
      const { decision, reasons } = gate.decide({ ...call, resources });
      return decision === 'ask' ? reasons[0]?.check : decision;
    };
    const commands = ['ls', 'cat src/a.ts', 'git status', '/usr/bin/ls'];
    const shadowed = 'shadowed-program';
    expect(commands.map((each) => checks(each, undefined))).toEqual(all(commands, 'allow'));
    expect(commands.map((each) => checks(each, '.venv/bin'))).toEqual([shadowed, 'allow', 'allow', 'allow']);
    expect(commands.map((each) => checks(each, 'lfs'))).toEqual(['allow', 'allow', shadowed, 'allow']);
    expect(commands.map((each) => checks(each, 'env'))).toEqual(['allow', shadowed, 'allow', 'allow']);
  });

  it.each(['bin', 'node_modules/.bin', '.venv/bin'])(
    'in %s is not taken for the one that is known',
    (folder) => {
      const { at } = repository();
      put(at(`${folder}/rg`));
      chmodSync(at(`${folder}/rg`), 0o755);
      writeFileSync(path.join(place.outside, 'cat'), '');
      symlinkSync(at(folder), path.join(place.userHome, 'bin'));
      const decide = (command: string, searchPath: string) => {
        const { userHome, home, workspace } = place;
        const gate = createPermissionGate({
          settings: permissionSettings.parse({}),
          sources: [],
          ...{ cwd: workspace, roots: [workspace], home, userHome, searchPath },
        });
        const { decision, reasons } = gate.decide(bashCall(command, { mode: 'prompt', cwd: workspace }));
        return decision === 'ask' ? reasons[0]?.check : decision;
      };
      const own = `${at(folder)}:/usr/bin`;
      const linked = `/usr/bin:${path.join(place.userHome, 'bin')}`;
      const commands = ['rg foo', 'timeout 3 rg foo', 'echo "$(rg foo)"'];
      for (const searchPath of [own, linked])
        expect(commands.map((each) => decide(each, searchPath))).toEqual(all(commands, 'shadowed-program'));
      expect(commands.map((each) => decide(each, '/usr/bin:/bin'))).toEqual(all(commands, 'allow'));
      expect([decide('cat src/a.ts', own), decide('/usr/bin/rg foo', own)]).toEqual(['allow', 'allow']);
    },
  );
});
