import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitBranch, gitDiff } from '#app/session/git-facts.ts';
import { workspaceFiles } from '#app/session/workspace-files.ts';

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
const signal = new AbortController().signal;

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-files-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const files = {
  '.gitignore': 'dist\n*.log\n',
  'src/a.ts': 'a',
  'src/deep/ü b.ts': 'b',
  'src/deep/.gitignore': 'local.ts\n',
  'src/deep/local.ts': 'x',
  'dist/out.js': 'x',
  'debug.log': 'x',
};
const expected = ['.gitignore', 'src/', 'src/a.ts', 'src/deep/', 'src/deep/.gitignore', 'src/deep/ü b.ts'];

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
}

describe('files for completion', () => {
  it('are what git knows or would take in', async () => {
    const folder = folderWith(files);
    git(folder, 'init', '-q');
    git(folder, 'add', 'src/a.ts');
    expect(await workspaceFiles(folder, { env, signal })).toEqual(expected);
  });

  it('obey the ignore files outside of a repository too', async () => {
    expect(await workspaceFiles(folderWith(files), { env, signal })).toEqual(expected);
  });
});

it('completion does not read an ignore file that is a device without an end', async () => {
  const folder = folderWith({ 'a.ts': 'a' });
  symlinkSync('/dev/zero', path.join(folder, '.gitignore'));
  expect(await workspaceFiles(folder, { env, signal })).toEqual(['.gitignore', 'a.ts']);
});

describe('facts about the repository', () => {
  it('are null outside of one', async () => {
    const folder = folderWith({ a: '1' });
    expect(await gitBranch(folder, { env })).toBeNull();
    expect(await gitDiff(folder, { env })).toBeNull();
  });

  it('name branch, changes and new files', async () => {
    const folder = folderWith({ a: '1\n' });
    git(folder, 'init', '-q', '-b', 'work');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'start');
    writeFileSync(path.join(folder, 'a'), '2\n');
    writeFileSync(path.join(folder, 'b'), 'new\n');
    expect(await gitBranch(folder, { env })).toEqual({ name: 'work', changed: 2 });
    const diff = await gitDiff(folder, { env });
    expect(diff).toContain('-1\n+2');
    expect(diff).toContain('new file, not added yet: b');
  });

  it('hold before the first commit', async () => {
    const folder = folderWith({ a: '1\n' });
    git(folder, 'init', '-q', '-b', 'work');
    expect(await gitBranch(folder, { env })).toEqual({ name: 'work', changed: 1 });
    expect(await gitDiff(folder, { env })).toBe('new file, not added yet: a');
  });
});
