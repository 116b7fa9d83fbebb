import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type IgnoreFile, isIgnored, rulesAbove, rulesIn } from '#lib/ignore-files.ts';
import { isInside } from '#lib/paths.ts';
import { stampOf } from './file-form.ts';

/** Everything below the workspace folders that can be put back, by absolute path. */
export type Scan = {
  entries: Map<string, { stamp: string; stats: Stats }>;
  /** Folders that were not looked into. */
  skipped: Set<string>;
  /** False: there is more than `maxEntries`, and nothing can be said of any of it. */
  isComplete: boolean;
};

type ScanLimits = {
  /** Entries of the whole workspace. */
  maxEntries: number;
  /** Entries below one folder that is ignored or holds what programs make. */
  maxMadeEntries: number;
};

export const scanLimits: ScanLimits = { maxEntries: 60_000, maxMadeEntries: 1_000 };

/** They hold what programs make, and much of it, also where no ignore file names them. */
const madeFolders = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.tox', '.gradle', '.next']);

/**
 * Looks at names and times alone. `.git` is never touched. A folder that is ignored or made by programs, and large,
 * is skipped; once skipped it stays so (`skipped` of the last scan is taken over), so that two scans compare.
 */
export async function scanRoots(
  roots: readonly string[],
  {
    skipped,
    signal,
    limits = scanLimits,
  }: { skipped: Set<string>; signal: AbortSignal; limits?: ScanLimits },
): Promise<Scan> {
  const scan: Scanning = { entries: new Map(), skipped, pauseAt: performance.now() + sliceMs };
  for (const root of outermost(roots)) {
    await walk(scan, { folder: root, rules: await rulesAbove(root), signal, max: limits.maxEntries, limits });
    if (scan.entries.size > limits.maxEntries) return { entries: scan.entries, skipped, isComplete: false };
  }
  return { entries: scan.entries, skipped, isComplete: !signal.aborted };
}

type Scanning = Omit<Scan, 'isComplete'> & {
  /** When other work gets its turn. */
  pauseAt: number;
};

/**
 * Calls that wait for the disk are four times as fast here as those that do not; so they are made in slices, between
 * which keys are taken and frames drawn. Milliseconds.
 */
const sliceMs = 6;

type Walk = {
  folder: string;
  rules: readonly IgnoreFile[];
  signal: AbortSignal;
  /** Stops when the scan has more entries than this. */
  max: number;
  limits: ScanLimits;
  /** It stands in a folder that may turn out to be too large. */
  isMade?: boolean;
};

async function walk(scan: Scanning, given: Walk): Promise<void> {
  const { folder, signal, max, limits } = given;
  if (signal.aborted || scan.entries.size > max) return;
  if (performance.now() > scan.pauseAt) {
    await setImmediate();
    scan.pauseAt = performance.now() + sliceMs;
  }
  const entries = entriesOf(folder).filter(({ name }) => name !== '.git');
  const own = await rulesIn(folder, entries);
  const rules = own ? [...given.rules, own] : given.rules;
  const base = folder.endsWith(path.sep) ? folder : folder + path.sep;
  const folders: { at: string; isMade: boolean }[] = [];
  for (const entry of entries) {
    const at = base + entry.name;
    const found = scan.skipped.has(at) || !isKeepable(entry) ? undefined : statsOf(at);
    if (!found) continue;
    scan.entries.set(at, { stamp: stampOf(found), stats: found });
    if (!entry.isDirectory()) continue;
    const isMade = !given.isMade && (madeFolders.has(entry.name) || isIgnored(at, true, rules));
    folders.push({ at, isMade });
  }
  for (const { at, isMade } of folders) {
    if (!isMade) {
      await walk(scan, { ...given, folder: at, rules });
      continue;
    }
    const before = scan.entries.size;
    await walk(scan, { ...given, folder: at, rules, max: before + limits.maxMadeEntries, isMade: true });
    if (scan.entries.size > before + limits.maxMadeEntries) skip(scan, at);
  }
}

function skip(scan: Scanning, folder: string): void {
  scan.skipped.add(folder);
  for (const at of scan.entries.keys()) if (isInside(at, folder)) scan.entries.delete(at);
}

/** A folder that may not be read counts as empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // It went away, or its folder was closed to us.
  }
}

function isKeepable(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
}

/** Without those that lie in another one. */
function outermost(roots: readonly string[]): string[] {
  const distinct = [...new Set(roots)];
  return distinct.filter((root) => !distinct.some((other) => other !== root && isInside(root, other)));
}
