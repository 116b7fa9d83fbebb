import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { packageRoot } from './package-files.ts';

const maxThemeBytes = 1_000_000;

export interface ThemeFiles {
  /** Every theme that there is now, sorted. */
  ids(): readonly string[];
  /** The JSON text of a theme; undefined when there is none of this id. */
  load(id: string): string | undefined;
}

/** Where a person and a project keep themes of their own. */
export function ownThemeFolder(home: string): string {
  return path.join(home, 'themes');
}

export function projectThemeFolder(project: string): string {
  return path.join(project, '.llmcode', 'themes');
}

/**
 * The person's own themes, those that ship with the program, and those of a trusted project, in this order: a
 * repository can add a theme, but never take the place of one. `trustedProject` is undefined until the project is known
 * and trusted, because colours could make a question unreadable.
 */
export function createThemeFiles(
  home: string,
  { trustedProject = () => undefined }: { trustedProject?: () => string | undefined } = {},
): ThemeFiles {
  const folders = () => {
    const project = trustedProject();
    return [
      ownThemeFolder(home),
      path.join(packageRoot(), 'themes'),
      ...(project === undefined ? [] : [projectThemeFolder(project)]),
    ];
  };
  return {
    ids: () => [...new Set(folders().flatMap(themeNames))].sort(),
    load: (id) => {
      if (!/^[\w.-]+$/.test(id)) return undefined;
      const file = folders()
        .map((folder) => path.join(folder, `${id}.json`))
        .find((each) => existsSync(each));
      return file === undefined ? undefined : readRegularTextSync(file, { maxBytes: maxThemeBytes });
    },
  };
}

function themeNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[\w.-]+\.json$/.test(name))
      .map((name) => name.slice(0, -'.json'.length));
  } catch {
    return []; // No such folder, or one that may not be read.
  }
}
