import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOf } from '#lib/paths.ts';
import { isSecret } from '../paths/names.ts';
import { protectedPlaces } from '../paths/protected-places.ts';
import { lookAt, namesIn } from './entries.ts';
import {
  agentNames,
  cacheFolders,
  cacheVariables,
  gitControlNames,
  kernelSwitches,
  neededRunPlaces,
  secretHomeFiles,
  secretHomeFolders,
  secretSystemPlaces,
  sessionVariables,
  tokenHomeFiles,
} from './places.ts';
import type { SandboxProfile } from './profile.ts';
import { socketFiles } from './sockets.ts';
import { closedName, tmpName } from './state-folder.ts';
import type { WatchedPlaces } from './watched-tree.ts';

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
  /** Files that are hidden or guarded, and open to this command all the same. */
  revealed: readonly string[];
  /** What was found in the workspace. */
  places: WatchedPlaces;
  /** A folder of the thread for temporary files. */
  scratch: string | undefined;
  network: boolean;
  /** More than reading was allowed: caches are the person's own, and only what starts agents and hooks is fixed. */
  isGranted: boolean;
};

/** What of this machine a command gets to see. Looks at the disk anew each time: a command may have changed it. */
export function findProfile(command: SandboxedCommand): SandboxProfile {
  const { stateFolder, isGranted, network, places } = command;
  // The whole disk as workspace gives no rights.
  const roots = command.roots.filter((root) => path.dirname(root) !== root);
  const home = realPathOf(command.home);
  const revealed = existing(command.revealed);
  const secrets = [...secretPlaces(command), ...existing(places.secrets).slice(0, maxPlaces)].filter(
    (file) => !revealed.includes(file),
  );
  const git = [...new Set([...roots, ...places.repositories.slice(0, maxPlaces)])].flatMap(gitPlaces);
  const scratch = command.scratch === undefined ? [] : existing([command.scratch]);
  const caches = isGranted ? existing(cacheFolders.map((name) => path.join(command.userHome, name))) : [];
  const writable = [
    ...roots,
    ...existing(command.writable),
    ...caches,
    ...git.flatMap(({ writable }) => writable),
    ...scratch,
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
      ...fixedPlaces(places, { roots, isGranted, named: revealed }),
      ...existing([command.filesDir]),
      ...revealed.filter((file) => secrets.some((folder) => isInside(file, folder))),
      ...runPlaces(network),
    ]),
    absent: process.platform === 'darwin' ? roots.flatMap((root) => absentIn(root, isGranted)) : [],
    switches: kernelSwitches.filter((file) => existsSync(file)),
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

/** Of each kind; more mounts would make each command slow. */
const maxPlaces = 300;

/** False: there is more to hide or to hold than there are mounts for. */
export function isWithinMounts({ secrets, guarded, repositories }: WatchedPlaces): boolean {
  return [secrets, guarded, repositories].every(({ length }) => length <= maxPlaces);
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
export function commonFolder(pointer: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readShort(pointer))?.[1];
  if (named === undefined) return undefined;
  const own = path.resolve(path.dirname(pointer), named.trim());
  const isOwned = realPathOf(readShort(path.join(own, 'gitdir')).trim() || '/') === realPathOf(pointer);
  if (!isOwned) return undefined;
  const common = realPathOf(path.resolve(own, readShort(path.join(own, 'commondir')).trim() || '.'));
  return path.basename(common) === '.git' && isFolder(common) ? common : undefined;
}

const agents = new Set(agentNames);

/** True for what makes programs run later, as far as it is guarded against a command with this permission. */
export function isFixed(file: string, isGranted: boolean): boolean {
  return !isGranted || agents.has(path.basename(file));
}

/** True for a file that the person allowed by name. A folder holds more than what was allowed. */
export function isAllowedFile(file: string, named: readonly string[]): boolean {
  return named.includes(file) && lookAt(file)?.isFile() === true;
}

/** Of a link what it leads to, where a command could write: a mount cannot lie on a link. */
function fixedPlaces(
  { guarded }: WatchedPlaces,
  { roots, isGranted, named }: { roots: readonly string[]; isGranted: boolean; named: readonly string[] },
): string[] {
  const isHeld = (file: string) =>
    roots.some((root) => isInside(file, root)) && !roots.some((root) => isInside(root, file));
  return guarded
    .filter((file) => isFixed(file, isGranted) && !isAllowedFile(file, named))
    .flatMap((file) => (isLink(file) ? existing([file]).filter(isHeld) : [file]))
    .slice(0, maxPlaces);
}

/** What programs look for at the root of a project. */
function absentIn(root: string, isGranted: boolean): string[] {
  const all = isGranted ? agentNames : [...agentNames, ...protectedPlaces];
  const plain = all.filter((name) => !name.startsWith('/') && !name.startsWith('*'));
  const places = plain.map((name) => path.join(root, name.replace(/\/$/, '')));
  return unique(places).filter((place) => !existsSync(place));
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
  { userHome, scratch = '/tmp' }: SandboxedCommand,
  caches: readonly string[],
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { TMPDIR: scratch };
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

function isLink(file: string): boolean {
  return lookAt(file)?.isSymbolicLink() ?? false;
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
