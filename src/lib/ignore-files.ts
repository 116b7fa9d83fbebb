import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The rules of the ignore files of one folder. */
export type IgnoreFile = { folder: string; rules: Ignore };

const ignoreNames = ['.gitignore', '.ignore', '.rgignore'];

/** Those of the folders above `root`, up to its repository; outermost first. */
export async function rulesAbove(root: string): Promise<IgnoreFile[]> {
  const found: IgnoreFile[] = [];
  let folder = root;
  while (!(await exists(path.join(folder, '.git'))) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
    const rules = await rulesIn(folder, await entriesOf(folder));
    if (rules) found.unshift(rules);
  }
  return found;
}

/** Those of a folder whose entries are known; undefined when it has none. */
export async function rulesIn(folder: string, entries: readonly Dirent[]): Promise<IgnoreFile | undefined> {
  const names = ignoreNames.filter((name) => entries.some((entry) => entry.name === name && entry.isFile()));
  if (names.length === 0) return undefined;
  const rules = ignore();
  for (const name of names) rules.add(await textOrNothing(path.join(folder, name)));
  return { folder, rules };
}

/** The deepest ignore file that says anything about a path decides. `rules` outermost first. */
export function isIgnored(file: string, isFolder: boolean, rules: readonly IgnoreFile[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const relative = path.relative(folder, file).split(path.sep).join('/');
    const verdict = own.test(isFolder ? `${relative}/` : relative);
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

/** A folder that may not be read counts as empty, as it does for ripgrep. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function textOrNothing(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return ''; // An ignore file that may not be read ignores nothing.
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
