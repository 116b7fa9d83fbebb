import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isOwnSettings, isProtected, isSecret } from '#permissions/paths/names.ts';
import { protectedPlaces } from '#permissions/paths/protected-places.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { bashCall, fileCall, makeGate, makePlace } from './support.ts';

const place = makePlace();
afterAll(() => rmSync(place.base, { recursive: true, force: true }));
const gate = makeGate(place, { rules: { allow: ['Edit', 'Write'] } });
const modes: readonly PermissionMode[] = ['prompt', 'workspace_write', 'auto_accept'];

/** A file that the entry stands for, below `folder` unless it names its place from the root. */
function sample(entry: string, folder: string): string {
  const file = entry.startsWith('*') ? `x${entry.slice(1)}` : entry.endsWith('/') ? `${entry}deep/x` : entry;
  return entry.startsWith('/') ? file : path.join(folder, file);
}

describe.each(protectedPlaces)('%s', (entry) => {
  it('is never written unasked below full access, in the workspace, deeper, at home, by tool or redirect', () => {
    const files = ['', 'deep/er'].map((folder) => sample(entry, path.join(place.workspace, folder)));
    for (const file of [...files, sample(entry, place.userHome)]) {
      for (const mode of modes) {
        const calls = [
          fileCall(file, { mode, access: 'write' }),
          bashCall(`echo x > '${file}'`, { mode, cwd: place.workspace }),
        ];
        // Without a rule as well: it is the general yes of a mode or a rule that must not cover it.
        const answers = calls.map((call) => makeGate(place).decide(call).decision);
        expect(answers, `${file} in ${mode}`).not.toContain('allow');
      }
      expect(isProtected(file) || isSecret(file) || isOwnSettings(file, place.home)).toBe(true);
    }
  });

  it('and what only looks like it is an ordinary file', () => {
    const bare = entry.replace(/^[/*]+/, '').replace(/\/$/, '');
    const parts = path.join('/w/src', bare).split('/');
    const others = [...parts.slice(0, -1), `x${parts.at(-1)}y`].join('/');
    const isFolderOf = protectedPlaces.some(
      (other) => other.endsWith('/') && `${others}/`.includes(`/${other}`),
    );
    expect(isProtected(others)).toBe(isFolderOf);
  });
});

describe('however the name is written', () => {
  it.each([
    '.GIT/hooks/pre-commit',
    '.Git/config',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    '.gi\u200ct/config',
    '.g\u00adit/config',
    'git~1/config',
    'GIT~1/config',
    '.\u017f\u017fh/config',
    '.vSCode/tasks.json',
    '.VSCODE/TASKS.JSON',
    '.vs\u200dcode/tasks.json',
    '.hus\u212ay/pre-commit',
    '.Envrc',
    '.envrc.',
    '.mcp.json:x',
    '.MCP.JSON',
    '.CLAUDE/hooks/x',
    'a/../.git/config',
    './/.git//config',
    '.git/../.git/config',
    'deep/.git',
  ])('%j', (name) => {
    for (const mode of modes) {
      const file = path.resolve(place.workspace, name);
      expect(gate.decide(fileCall(file, { mode, access: 'write' })).decision).not.toBe('allow');
    }
  });

  it('reading them in the workspace needs no permission, and ordinary names stay ordinary', () => {
    const read = fileCall(path.join(place.workspace, '.vscode/tasks.json'), {
      mode: 'prompt',
      access: 'read',
    });
    expect(gate.decide(read).decision).toBe('allow');
    const names = ['.github/workflows/ci.yml', 'package.json', 'git/config', 'src/vscode/a.ts', 'gitconfig'];
    for (const name of [...names, '.gitignore', 'docs/.claude.md', 'environment.d/a', 'src/cron.d/a.ts'])
      expect(
        gate.decide(fileCall(path.join(place.workspace, name), { mode: 'workspace_write', access: 'write' }))
          .decision,
      ).toBe('allow');
  });
});
