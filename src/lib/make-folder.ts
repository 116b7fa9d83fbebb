import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';

/**
 * Makes a private folder (0700) and those above it that are missing. Throws the system's own reason: the recursive
 * call of node:fs says "no such file" for a disk that is read-only, and never returns below /proc.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const parent = path.dirname(folder);
    if (errnoOf(error) === 'EEXIST') return;
    if (errnoOf(error) !== 'ENOENT' || parent === folder) throw error;
    makeFolder(parent);
    makeLast(folder);
  }
}

/** Somebody else may have made it meanwhile. */
function makeLast(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
