import { existsSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOf } from '#lib/paths.ts';
import { isProtected, isSecret } from '../paths/names.ts';
import {
  agentNames,
  cacheFolders,
  cacheVariables,
  gitControlNames,
  neededRunPlaces,
  secretHomeFiles,
  secretHomeFolders,
  secretSystemPlaces,
  sessionVariables,
  tokenHomeFiles,
} from './places.ts';
import type { SandboxProfile } from './profile.ts';
import { socketFiles } from './sockets.ts';

export type SandboxedCommand = {
  cwd: string;
  /** Real paths of the workspace. */
  roots: readonly string[];
  userHome: string;
  home: string;
  /** Whole outputs of the thread, which the model may read again. */
  filesDir: string;
  /** Of this session, outside of the workspace: `tmp` and `closed` lie in it. */
  stateFolder: string;
  /** What the settings add. */
  writable: readonly string[];
  network: boolean;
  /** More than reading was allowed: caches are the person's own, and only what starts agents and hooks is fixed. */
  isGranted: boolean;
};

const tmpName = 'tmp';
export const closedName = 'closed';

/** What of this machine a command gets to see. Looks at the disk anew each time: a command may have changed it. */
export function findProfile(command: SandboxedCommand): SandboxProfile {
  const { stateFolder, isGranted, network } = command;
  // The whole disk as workspace gives no rights.
  const roots = command.roots.filter((root) => path.dirname(root) !== root);
  const home = realPathOf(command.home);
  const secrets = secretPlaces(command);
  const git = roots.flatMap(repositoriesIn);
  const caches = isGranted ? existing(cacheFolders.map((name) => path.join(command.userHome, name))) : [];
  const writable = [
    ...roots,
    ...existing(command.writable),
    ...caches,
    ...git.flatMap(({ writable }) => writable),
  ];
  const isReached = (file: string) => !isInside(home, file) && !isInside(file, home);
  return {
    cwd: command.cwd,
    network,
    tmp: path.join(stateFolder, tmpName),
    tmpFolders: process.platform === 'linux' ? existing(['/tmp', '/var/tmp']).filter(isFolder) : [],
    writable: unique(writable),
    pinned: unique(git.flatMap(({ pinned }) => pinned)),
    readOnly: unique([
      ...git.flatMap(({ fixed }) => fixed),
      ...roots.flatMap((root) => protectedIn(root, isGranted)),
      ...existing([command.filesDir]),
      ...runPlaces(network),
    ]),
    emptied: unique([home, ...existing(['/run'])].filter(isFolder)),
    closedFolders: unique(secrets.filter((file) => isReached(file) && isFolder(file))),
    closedFiles: unique([
      ...secrets.filter((file) => isReached(file) && !isFolder(file)),
      ...socketsOutside(roots),
    ]),
    blankFiles: isGranted ? [] : existing(tokenHomeFiles.map((name) => path.join(command.userHome, name))),
    closedFile: path.join(stateFolder, closedName),
    env: environmentOf(command, caches),
  };
}

function secretPlaces({ userHome }: SandboxedCommand): string[] {
  const below = [...secretHomeFolders, ...secretHomeFiles].map((name) => path.join(userHome, name));
  const tokens = new Set(tokenHomeFiles);
  const byName = namesIn(userHome)
    .map((name) => path.join(userHome, name))
    .filter((file) => isSecret(file) && !tokens.has(path.basename(file)));
  return existing([...below, ...byName, ...secretSystemPlaces]);
}

type GitPlaces = { writable: string[]; pinned: string[]; fixed: string[] };

/** More folders than this are not looked through for repositories of their own. */
const maxNested = 300;

/** The root itself may be one, and the folders in it. */
function repositoriesIn(root: string): GitPlaces[] {
  const nested = namesIn(root).slice(0, maxNested);
  return [root, ...nested.map((name) => path.join(root, name))].flatMap(gitPlaces);
}

/** A folder cannot be moved away together with what is fixed in it once it is bound onto itself. */
function gitPlaces(folder: string): GitPlaces[] {
  const git = path.join(folder, '.git');
  const stat = lookAt(git);
  if (!stat) return [];
  if (stat.isDirectory()) {
    const modules = path.join(git, 'modules');
    const inside = namesIn(modules).map((name) => path.join(modules, name));
    const pinned = [git, ...inside.filter(isFolder)];
    return [{ writable: [], pinned, fixed: pinned.flatMap(controlsOf) }];
  }
  const common = stat.isFile() ? commonFolder(git) : undefined;
  const fixed = stat.isFile() ? [git] : [];
  if (!common) return [{ writable: [], pinned: [], fixed }];
  return [{ writable: [], pinned: [common], fixed: [...fixed, ...controlsOf(common)] }];
}

function controlsOf(git: string): string[] {
  return existing(gitControlNames.map((name) => path.join(git, name))).filter((file) => isInside(file, git));
}

/**
 * The repository that a work tree belongs to, when that says the same: a `.git` file could name any folder, but
 * nobody can write into the folder that it names.
 */
function commonFolder(pointer: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readShort(pointer))?.[1];
  if (named === undefined) return undefined;
  const own = path.resolve(path.dirname(pointer), named.trim());
  const isOwned = realPathOf(readShort(path.join(own, 'gitdir')).trim() || '/') === realPathOf(pointer);
  if (!isOwned) return undefined;
  const common = realPathOf(path.resolve(own, readShort(path.join(own, 'commondir')).trim() || '.'));
  return path.basename(common) === '.git' && isFolder(common) ? common : undefined;
}

function protectedIn(root: string, isGranted: boolean): string[] {
  const always = new Set(agentNames);
  const names = namesIn(root).filter(
    (name) => name !== '.git' && (isGranted ? always.has(name) : isProtected(`/${name}`)),
  );
  return names.map((name) => path.join(root, name)).filter((file) => !isLink(file));
}

/** Names are found in a file that may be a link into `/run`. */
function runPlaces(network: boolean): string[] {
  const resolver = network ? existing(['/etc/resolv.conf']).filter((file) => isInside(file, '/run')) : [];
  return [...resolver, ...existing(neededRunPlaces)];
}

function socketsOutside(roots: readonly string[]): string[] {
  const hidden = ['/run', '/tmp', '/var/tmp', '/dev', '/proc', ...roots];
  return existing(socketFiles()).filter((file) => !hidden.some((folder) => isInside(file, folder)));
}

function environmentOf(
  { userHome }: SandboxedCommand,
  caches: readonly string[],
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { TMPDIR: '/tmp' };
  for (const name of sessionVariables) env[name] = undefined;
  for (const [name, folder] of cacheVariables) {
    const own = path.join(userHome, folder);
    if (!caches.some((cache) => isInside(own, cache))) env[name] = `/tmp/.cache/${path.basename(folder)}`;
  }
  return env;
}

/** Those that exist, by their real paths: a mount cannot lie on a link. */
function existing(files: readonly string[]): string[] {
  return files.filter((file) => existsSync(file)).map(realPathOf);
}

function isFolder(file: string): boolean {
  return lookAt(realPathOf(file))?.isDirectory() ?? false;
}

function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined; // Not there, or below a file.
  }
}

function isLink(file: string): boolean {
  return lookAt(file)?.isSymbolicLink() ?? false;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const maxPointerBytes = 4_096;

function readShort(file: string): string {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= maxPointerBytes ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

function unique(files: readonly string[]): string[] {
  return [...new Set(files)];
}
