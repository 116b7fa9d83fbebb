import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';

/** The folder of the installed package, found from wherever this file was bundled to. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'themes')) || !existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error(`no package around ${import.meta.dirname}`);
    folder = parent;
  }
  return folder;
}

export function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot(), 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

/** The sample project of the demo: in the sources, or beside the bundle. */
export function demoProjectFolder(): string {
  const root = packageRoot();
  const isSource = isInside(import.meta.dirname, path.join(root, 'src'));
  return path.join(root, isSource ? 'src/app/demo/project' : 'dist/demo-project');
}

const maxThemeBytes = 1_000_000;

/** Themes that ship with the program and those in the user's own folder, which come first. */
export function createThemeFiles(home: string): {
  ids: readonly string[];
  load(id: string): string | undefined;
} {
  const folders = [path.join(home, 'themes'), path.join(packageRoot(), 'themes')];
  const ids = new Set<string>();
  for (const folder of folders) for (const name of themeNames(folder)) ids.add(name);
  return {
    ids: [...ids].sort(),
    load: (id) => {
      if (!/^[\w.-]+$/.test(id)) return undefined;
      const file = folders.map((folder) => path.join(folder, `${id}.json`)).find((each) => existsSync(each));
      return file === undefined ? undefined : readRegularTextSync(file, { maxBytes: maxThemeBytes });
    },
  };
}

function themeNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}
