import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { globTest } from '#lib/glob-pattern.ts';
import { mayFind } from './may-find.ts';

/** Which files below a folder a command gets or searches. */
export type TreeChoice = {
  /** Patterns that their names fit; empty for all. */
  names: readonly string[];
  hasHidden: boolean;
  /** Folders left out: `./x` at the first level, `*` and `/x` at any. */
  without?: readonly string[];
  /** Only lines that fit this pattern are shown; without it all lines are. */
  search?: string | undefined;
  isHidden?: true;
  isOpened?: true;
  isTracked?: true;
};

type TreeScan = {
  /** Files with secrets whose lines may be shown. */
  secrets: string[];
  /** Links among the files: what they lead to is opened. */
  links: string[];
  /** Some name has a blank, a quote or a backslash in it. */
  hasOddNames: boolean;
  /** False when the folder holds more than was looked at. */
  isComplete: boolean;
};

const maxEntries = 6_000;
const maxLinks = 50;
const maxSecretBytes = 200_000;

/** Milliseconds that looking into folders may take for one decision. */
export type ScanBudget = { leftMs: number };
export const scanBudget = (): ScanBudget => ({ leftMs: 15 });

/** Looks through a folder, the upper levels first, as far as the budget goes. */
export function scanTree(
  start: string,
  choice: TreeChoice,
  { budget, isSecret }: { budget: ScanBudget; isSecret: (file: string) => boolean },
): TreeScan {
  const began = performance.now();
  const scan: TreeScan = { secrets: [], links: [], hasOddNames: false, isComplete: true };
  const tests = choice.names.map((name) => globTest(name.toLowerCase()));
  const isWanted = (name: string) =>
    (choice.hasHidden || !name.startsWith('.')) &&
    (tests.length === 0 || tests.some((test) => test(name.toLowerCase())));
  const kept = choice.isTracked ? readIndex(start) : undefined;
  const isSkipped = skipping(choice, kept);
  const take = (file: string) => {
    if (choice.isHidden || !isSecret(file)) return;
    const isKept = !kept || kept.includes(`${path.relative(start, file)}\0`);
    if (isKept && showsLines(file, choice.search)) scan.secrets.push(file);
  };
  let entries = 0;
  let level = [start];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (entries > maxEntries || performance.now() - began > budget.leftMs) {
        scan.isComplete = false;
        next.length = 0;
        break;
      }
      const found = entriesOf(folder);
      if (!found && depth === 0) take(start);
      for (const entry of found ?? []) {
        entries += 1;
        scan.hasOddNames ||= /[\s"'\\]/.test(entry.name);
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!isSkipped(entry.name, depth)) next.push(file);
        } else if (isWanted(entry.name)) {
          if (entry.isSymbolicLink() && !choice.isHidden) scan.links.push(file);
          take(file);
        }
      }
    }
    level = next;
  }
  if (scan.links.length > maxLinks) scan.isComplete = false;
  budget.leftMs -= performance.now() - began;
  return { ...scan, links: scan.links.slice(0, maxLinks) };
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined; // No folder, or closed to us: the command cannot look into it either.
  }
}

function skipping(choice: TreeChoice, kept: Buffer | undefined): (name: string, depth: number) => boolean {
  const { without = [], isOpened = false, isTracked = false, hasHidden } = choice;
  // Installed packages hold nothing of the person; a search of their many folders would use up the budget.
  const skipsPackages = isTracked ? kept?.includes('node_modules/') === false : !isOpened;
  return (name, depth) =>
    (name === 'node_modules' && skipsPackages) ||
    (name === '.git' && (isTracked || !isOpened)) ||
    (!hasHidden && name.startsWith('.')) ||
    without.includes(`*/${name}`) ||
    (depth === 0 && without.includes(`./${name}`));
}

/** The names of all files that git keeps, among other bytes; undefined when they cannot be told. */
function readIndex(root: string): Buffer | undefined {
  try {
    const file = path.join(root, '.git', 'index');
    if (statSync(file).size > 20_000_000) return undefined;
    const index = readFileSync(file);
    // From version 4 on names are cut.
    return index.readUInt32BE(4) > 3 ? undefined : index;
  } catch {
    return undefined;
  }
}

function showsLines(file: string, search: string | undefined): boolean {
  if (search === undefined) return true;
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxSecretBytes) return true;
    return mayFind(search, readFileSync(file, 'latin1'));
  } catch {
    return false; // What cannot be read is not shown.
  }
}
