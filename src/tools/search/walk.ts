import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

type IgnoreFile = { folder: string; rules: Ignore };

const ignoreNames = ['.gitignore', '.ignore', '.rgignore'];

/**
 * Files below a folder, as `rg --files --hidden` finds them: ignore files of the folder, of those below and of
 * those above up to the repository count, `.git` is left out, links are not followed. Paths are relative with `/`.
 */
export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walkFolder(root, { root, rules: await rulesAbove(root), signal });
}

type Walk = { root: string; rules: readonly IgnoreFile[]; signal: AbortSignal };

async function* walkFolder(folder: string, walk: Walk): AsyncGenerator<string> {
  if (walk.signal.aborted) return;
  const entries = await entriesOf(folder);
  const own = await rulesIn(folder, entries);
  const rules = own ? [...walk.rules, own] : walk.rules;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.name === '.git' || isIgnored(file, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) yield* walkFolder(file, { ...walk, rules });
    else if (entry.isFile()) yield path.relative(walk.root, file).split(path.sep).join('/');
  }
}

/** A folder that may not be read counts as empty, as it does for ripgrep. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function rulesIn(folder: string, entries: readonly Dirent[]): Promise<IgnoreFile | undefined> {
  const names = ignoreNames.filter((name) => entries.some((entry) => entry.name === name && entry.isFile()));
  if (names.length === 0) return undefined;
  const rules = ignore();
  for (const name of names) rules.add(await textOrNothing(path.join(folder, name)));
  return { folder, rules };
}

async function textOrNothing(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return ''; // An ignore file that may not be read ignores nothing.
  }
}

async function rulesAbove(root: string): Promise<IgnoreFile[]> {
  const found: IgnoreFile[] = [];
  let folder = root;
  while (!(await exists(path.join(folder, '.git'))) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
    const rules = await rulesIn(folder, await entriesOf(folder));
    if (rules) found.unshift(rules);
  }
  return found;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}

/** The deepest ignore file that says anything about a path decides. */
function isIgnored(file: string, isFolder: boolean, rules: readonly IgnoreFile[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const relative = path.relative(folder, file).split(path.sep).join('/');
    const verdict = own.test(isFolder ? `${relative}/` : relative);
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}
