import path from 'node:path';
import { absoluteFolders, foldersOutside, repositoryFolder } from '#lib/find-program.ts';
import { realPathOf } from '#lib/paths.ts';
import { projectKey } from '#lib/project-key.ts';
import type { PathScope } from './paths/path-policy.ts';
import type { RuleBases } from './rules/match-rule.ts';
import type { PermissionSettings } from './settings.ts';

/** Where calls are decided. */
export type GroundOptions = {
  settings: PermissionSettings;
  cwd: string;
  /** The folders of the workspace; the first is the main one. */
  roots: readonly string[];
  home: string;
  userHome: string;
  /** The PATH that commands run with at the start. */
  searchPath?: string | undefined;
  /** The thread's own folder for temporary files, by its real path. */
  scratch?: string | undefined;
};

type PermissionGround = {
  scope: PathScope;
  bases: RuleBases;
  /** Folders outside the workspace that may be read; the one in `scope`, which takes more. */
  readable: string[];
  home: string;
  userHome: string;
};

/** The folders that paths are judged by and rules are relative to, by their real names. */
export function permissionGround(options: GroundOptions): PermissionGround {
  const { cwd } = options;
  const userHome = realPathOf(options.userHome);
  const home = realPathOf(options.home);
  const readable = [
    ...options.settings.permissions.readable_directories.map((folder) =>
      realPathOf(withHome(folder, userHome)),
    ),
    // Whole outputs that earlier calls of this project were cut from.
    path.join(home, 'threads', projectKey(cwd)),
  ];
  // Under every name that they are known by.
  const roots = unique([
    ...options.roots.map((root) => path.resolve(root)),
    ...options.roots.map(realPathOf),
  ]);
  const own = [...roots, repositoryFolder(realPathOf(cwd))];
  const start = options.searchPath ?? '';
  const programFolders = (searchPath = start) => {
    const outside = new Set(foldersOutside(searchPath, own));
    return absoluteFolders(searchPath).filter((folder) => !outside.has(folder));
  };
  const { scratch } = options;
  const scope: PathScope = { roots, userHome, home, readable, searchPath: start, programFolders, scratch };
  const bases = {
    cwd: unique([path.resolve(cwd), realPathOf(cwd)]),
    userHome: unique([options.userHome, userHome]),
  };
  return { scope, bases, readable, home, userHome };
}

function withHome(folder: string, userHome: string): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(userHome, folder.slice(1)) : folder;
}

function unique(folders: readonly string[]): string[] {
  return [...new Set(folders)];
}
