import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '#lib/paths.ts';

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
