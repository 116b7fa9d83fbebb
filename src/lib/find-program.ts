import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Environment, isInside, realPathOf } from './paths.ts';

/** Where programs are looked for when PATH names no folder that may be used: an empty PATH means the working folder. */
export const standardPath = ['/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter);

/**
 * The folders on PATH without those below `roots`: what lies in a repository must not choose what we ourselves run.
 * Under its own name and where it leads, the worse counts. In a root that holds the home folder lie the person's own.
 */
export function foldersOutside(list: string, roots: readonly string[]): string[] {
  const foreign = roots.filter((root) => !isInside(homedir(), root));
  return absoluteFolders(list).filter(
    (folder) =>
      !foreign.some((root) => isInside(folder, root) || isInside(realPathOf(folder), realPathOf(root))),
  );
}

/** A relative entry, and an empty one, would let the repository choose which `ls` runs. */
export function absoluteFolders(list: string): string[] {
  return list.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/** The program by its name alone, from no folder of `roots`; its bare name when there is none. */
export function findProgram(name: string, env: Environment, roots: readonly string[]): string {
  const folders = foldersOutside(env['PATH'] ?? standardPath, roots);
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? path.join('/usr/bin', name);
}

/** The folder upwards that holds `.git`, else the folder itself. */
export function repositoryFolder(cwd: string): string {
  const start = path.resolve(cwd);
  for (let folder = start; path.dirname(folder) !== folder; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
  }
  return start;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
