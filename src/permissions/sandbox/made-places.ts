import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryProgram } from '../paths/repository-programs.ts';
import { lookAt, namesIn } from './entries.ts';
import { commonFolder, isFixed } from './find-profile.ts';
import { gitControlNames } from './places.ts';
import type { WatchedPlaces } from './watched-tree.ts';

/**
 * The guarded places by what lies there, so that one that took the place of another is told from it, and the folders
 * that were looked into, each with those in it.
 */
export type StandingPlaces = {
  identities: ReadonlyMap<string, string>;
  folders: ReadonlyMap<string, readonly string[]>;
};

export function standingPlaces({ guarded, repositories, folders }: WatchedPlaces): StandingPlaces {
  const places = [...guarded, ...repositories.flatMap(controlsOf)];
  return { identities: new Map(places.map((place) => [place, identityOf(place)] as const)), folders };
}

/**
 * What a command has made that would make programs run later. Nothing stood there, so nothing could be mounted there
 * to hold it back.
 */
export function madePlaces(
  before: StandingPlaces,
  { places, isGranted }: { places: WatchedPlaces; isGranted: boolean },
): string[] {
  const isNew = (place: string) =>
    wasSeen(path.dirname(place), before.folders) && before.identities.get(place) !== identityOf(place);
  return [
    ...places.guarded.filter((place) => isFixed(place, isGranted) && isNew(place)),
    ...places.repositories.flatMap((folder) => madeIn(folder, isNew)),
  ];
}

/**
 * True when it is known what was in this folder before: it was looked into, or a folder that was looked into did not
 * have it. What stood in a folder that nobody looked into is the person's own.
 */
function wasSeen(folder: string, folders: StandingPlaces['folders']): boolean {
  if (folders.has(folder)) return true;
  const parent = path.dirname(folder);
  if (parent === folder) return false;
  const before = folders.get(parent);
  return before ? !before.includes(folder) : wasSeen(parent, folders);
}

/** Keys of git's settings that name programs, beside those that count for commands which only look. */
const programKeys = /(?:^|\])\s*(fsmonitor|hookspath|sshcommand|editor|pager|helper|askpass)[^\S\n]*=/im;

/** A repository may be made; what makes git run programs may not. */
function madeIn(folder: string, isNew: (place: string) => boolean): string[] {
  const git = path.join(folder, '.git');
  const startsPrograms = () =>
    programKeys.test(textOf(path.join(git, 'config'))) || repositoryProgram(folder) !== undefined;
  return controlsOf(folder).filter((place) => {
    if (!isNew(place)) return false;
    if (place === path.join(git, 'config')) return startsPrograms();
    return place !== git || commonFolder(git) === undefined;
  });
}

/** What of a repository decides which programs git runs; of hooks each one. */
function controlsOf(folder: string): string[] {
  const git = path.join(folder, '.git');
  if (lookAt(git)?.isDirectory() !== true) return [git];
  return gitControlNames.flatMap((name) => {
    const place = path.join(git, name);
    const stats = lookAt(place);
    if (name !== 'hooks' || !stats?.isDirectory()) return stats ? [place] : [];
    const hooks = namesIn(place).filter((hook) => !hook.endsWith('.sample'));
    return hooks.map((hook) => path.join(place, hook));
  });
}

function identityOf(place: string): string {
  const stats = lookAt(place);
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

function textOf(file: string): string {
  try {
    return lookAt(file)?.isFile() ? readFileSync(file, 'utf8') : '';
  } catch {
    return ''; // Closed to us, and to git.
  }
}
