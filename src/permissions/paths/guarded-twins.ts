import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import { isOwnSettings, isProtected, isSecret } from './names.ts';

/** The guarded file that a file with several names is the same as; undefined when none is known. */
export type TwinSearch = (file: string, stats: Stats) => string | undefined;

/** More files than this are not compared, so that a folder of thousands holds nothing up. */
const maxCompared = 3_000;
const maxDepth = 2;
/** What lies in these folders of a repository is content. */
const contentFolders = new Set(['objects', 'refs', 'logs', 'lfs', 'modules', 'node_modules']);
const homePlaces = ['', '.docker', '.cargo', '.m2', '.config', '.config/gh', '.config/gcloud', '.config/git'];

/**
 * Looks among the secret and protected files that lie where such files lie: at the top of the workspace, in the
 * repository, in the home folder, and in the folders from there down to the file itself. Reads the disk once it is
 * asked for the first time, and each folder once.
 */
export function createTwinSearch({
  roots,
  userHome,
  home,
}: {
  roots: readonly string[];
  userHome: string;
  home: string;
}): TwinSearch {
  const known = new Map<string, string>();
  const seen = new Set<string>();
  let compared = 0;

  const isGuarded = (file: string) => {
    const root = roots.find((folder) => isInside(file, folder));
    const below = root === undefined ? file : path.join('/', path.relative(root, file));
    return isSecret(file) || isProtected(below) || isOwnSettings(file, home);
  };

  const compare = (file: string) => {
    if (compared >= maxCompared) return;
    compared += 1;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.nlink > 1 && !known.has(idOf(stats))) known.set(idOf(stats), file);
  };

  const search = (folder: string, depth: number) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder ? depth >= maxDepth || contentFolders.has(entry.name) : !entry.isFile()) continue;
      // A probe below it says whether all of a folder is guarded.
      if (isFolder && isGuarded(path.join(file, 'x'))) search(file, depth + 1);
      else if (!isFolder && isGuarded(file)) compare(file);
    }
  };

  return (file, stats) => {
    for (const place of homePlaces) search(path.join(userHome, place), 0);
    for (const root of roots) {
      search(root, 0);
      if (!isInside(file, root)) continue;
      for (let folder = path.dirname(file); folder !== root && isInside(folder, root); ) {
        search(folder, 0);
        folder = path.dirname(folder);
      }
    }
    const twin = known.get(idOf(stats));
    return twin === file ? undefined : twin;
  };
}

const idOf = ({ dev, ino }: Stats) => `${dev}:${ino}`;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // It is not there, or it may not be read: then nobody has linked anything in it by us.
  }
}
