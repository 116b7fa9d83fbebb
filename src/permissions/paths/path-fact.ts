import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '#lib/errors.ts';
import type { TwinSearch } from './guarded-twins.ts';

/** All that a decision needs to know of a path; after this nothing looks at the disk any more. */
export type PathFact = {
  /** Absolute, as it was named; `.` and `..` are gone. */
  given: string;
  /** Where it leads, every link resolved; of what does not exist, the part that exists. */
  real: string;
  kind: 'file' | 'folder' | 'special' | 'missing' | 'invalid' | 'loop';
  /** True when another name shows the same file. */
  hasOtherNames: boolean;
  /** Another name of the same file, by which it is a secret or protected one. */
  twin?: string;
};

const maxPathBytes = 4_096;
const maxNameBytes = 255;

/** Looks the path up. Never throws: what the system refuses is a fact as well. */
export function pathFact(file: string, twinOf: TwinSearch): PathFact {
  const given = path.resolve(file);
  const invalid: PathFact = { given, real: given, kind: 'invalid', hasOtherNames: false };
  if (!isUsable(file)) return invalid;
  try {
    const fact = existing(given, realpathSync.native(file), twinOf);
    return fact.kind === 'file' && file.endsWith('/') ? invalid : fact;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOOP') return { ...invalid, kind: 'loop' };
    if (code === 'ENAMETOOLONG' || code === 'ENOTDIR') return invalid;
  }
  return missing(given, file.replace(/\/+$/, ''), twinOf);
}

function isUsable(file: string): boolean {
  if (file === '' || file.includes('\0') || !path.isAbsolute(file)) return false;
  if (Buffer.byteLength(file) > maxPathBytes) return false;
  return file.split('/').every((name) => Buffer.byteLength(name) <= maxNameBytes);
}

function existing(given: string, real: string, twinOf: TwinSearch): PathFact {
  let stats: Stats;
  try {
    stats = statSync(real);
  } catch {
    return { given, real, kind: 'missing', hasOtherNames: false };
  }
  if (stats.isDirectory()) return { given, real, kind: 'folder', hasOtherNames: false };
  if (stats.isFile()) {
    const twin = stats.nlink > 1 ? twinOf(real, stats) : undefined;
    const fact = { given, real, kind: 'file', hasOtherNames: stats.nlink > 1 } as const;
    return twin === undefined ? fact : { ...fact, twin };
  }
  return { given, real, kind: 'special', hasOtherNames: false };
}

/** Goes up to what exists; a link that leads nowhere is followed, so that what it would create is judged. */
function missing(given: string, file: string, twinOf: TwinSearch): PathFact {
  let tail: string[] = [];
  let current = file;
  for (let steps = 0; steps < 100; steps += 1) {
    const target = danglingTarget(current);
    if (target !== undefined) {
      current = path.join(target, ...tail);
      tail = [];
      if (!isUsable(current)) return { given, real: given, kind: 'invalid', hasOtherNames: false };
    }
    try {
      return existing(given, path.join(realpathSync.native(current), ...tail), twinOf);
    } catch (error) {
      if (errnoOf(error) === 'ELOOP') return { given, real: given, kind: 'loop', hasOtherNames: false };
    }
    const parent = path.dirname(current);
    if (parent === current) break;
    tail = [path.basename(current), ...tail];
    current = parent;
  }
  return { given, real: given, kind: 'missing', hasOtherNames: false };
}

function danglingTarget(file: string): string | undefined {
  try {
    if (!lstatSync(file).isSymbolicLink()) return undefined;
    const parent = realpathSync.native(path.dirname(file));
    return path.resolve(parent, readlinkSync(file));
  } catch {
    return undefined;
  }
}
