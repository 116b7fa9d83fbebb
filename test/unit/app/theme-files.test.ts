import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchThemes } from '../../../src/app/settings/watch-settings.ts';
import { createThemeFiles, ownThemeFolder, projectThemeFolder } from '../../../src/app/theme-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-themes-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(where: string, name: string, text: string): void {
  mkdirSync(where, { recursive: true });
  writeFileSync(path.join(where, `${name}.json`), text);
}

test('a project adds themes once it is trusted, and never takes the place of another', () => {
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  write(ownThemeFolder(home), 'mine', 'own');
  write(ownThemeFolder(home), 'light', 'own light');
  for (const name of ['mine', 'dark', 'team']) write(projectThemeFolder(project), name, 'of the project');
  let isTrusted = false;
  const themes = createThemeFiles(home, { trustedProject: () => (isTrusted ? project : undefined) });
  expect(themes.ids()).not.toContain('team');
  expect(themes.load('team')).toBeUndefined();
  isTrusted = true;
  expect(themes.ids()).toEqual(expect.arrayContaining(['mine', 'dark', 'team']));
  expect(themes.load('team')).toBe('of the project');
  expect(themes.load('mine')).toBe('own');
  expect(themes.load('light')).toBe('own light');
  expect(themes.load('dark')).toContain('"name": "dark"');
  expect(themes.load('../config')).toBeUndefined();
});

test('a theme file that is changed or made is told by its name', async () => {
  const themes = path.join(folder, 'themes');
  write(themes, 'mine', '{}');
  const changed: string[] = [];
  const stop = watchThemes([themes], (id) => changed.push(id));
  await vi.waitFor(
    () => {
      write(themes, 'mine', `{"colors": {}, "at": ${Math.random()}}`);
      expect(changed).toContain('mine');
    },
    { timeout: 5_000, interval: 400 },
  );
  await stop();
});
