import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '#lib/find-program.ts';

/**
 * What in the repository's own settings would make a git command that only looks start a program or leave the
 * repository; undefined when there is nothing. Reads the files as text and errs on the careful side: git's own reader
 * follows more than one of them.
 */
export function repositoryProgram(cwd: string): string | undefined {
  const top = repositoryFolder(cwd);
  const repositories = repositoriesOf(top);
  if (typeof repositories === 'string') return repositories;
  for (const repository of repositories) {
    const found = settingOf(repository) ?? hookOf(repository);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `common` is another folder in a linked worktree. */
type Repository = { top: string; gitFolder: string; common: string };

const maxRepositories = 60;

/** The repository and its submodules: `status` and `diff` look into those with their own settings. */
function repositoriesOf(top: string): Repository[] | string {
  const found: Repository[] = [];
  const waiting = [top];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const repository = repositoryAt(folder);
    if (!repository) continue;
    found.push(repository);
    const submodules = submodulesOf(repository);
    if (submodules === undefined || found.length + waiting.length > maxRepositories)
      return 'more submodules than are looked at';
    waiting.push(...submodules.map((name) => path.join(folder, name)));
  }
  return found;
}

function repositoryAt(top: string): Repository | undefined {
  const entry = path.join(top, '.git');
  const stats = statSync(entry, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const pointer = stats.isFile() ? /^gitdir: (.*?)\s*$/s.exec(textOf(entry))?.[1] : '.git';
  const gitFolder = path.resolve(top, pointer ?? '.git');
  const common = textOf(path.join(gitFolder, 'commondir')).trim();
  return { top, gitFolder, common: common === '' ? gitFolder : path.resolve(gitFolder, common) };
}

/** Bytes. Larger than that of two hundred thousand files. */
const maxIndexBytes = 64_000_000;
const submoduleMode = Buffer.from([0, 0, 0xe0, 0]);
/** From the mode of an entry of the index to its name. */
const modeToName = 38;

/** Names of submodules in the index; undefined when it cannot be told. A chance hit is only one name too many. */
function submodulesOf({ gitFolder }: Repository): string[] | undefined {
  const file = path.join(gitFolder, 'index');
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [];
  if (size > maxIndexBytes) return undefined;
  const index = readFileSync(file);
  const names: string[] = [];
  for (let at = index.indexOf(submoduleMode); at !== -1; at = index.indexOf(submoduleMode, at + 1)) {
    // From version 4 on names are cut.
    if (index.readUInt32BE(4) > 3) return undefined;
    const start = at + modeToName;
    names.push(index.toString('utf8', start, index.indexOf(0, start)));
  }
  // In a split index most entries lie in another file.
  const isSplit = readdirSync(gitFolder).some((name) => name.startsWith('sharedindex.'));
  return isSplit ? undefined : names;
}

/** A key begins a line or stands behind the head of its section. */
const launching =
  /(?:^|\])\s*(clean|smudge|process|external|textconv|command|program|promisor|partialclone)[^\S\n]*(?:=[^\S\n]*([^\n]*))?(?:[#;\n]|$)/gim;
const otherFiles = /\[\s*(include(if)?)\b/i;
const worktreeKey = /(?:^|\])\s*worktree[^\S\n]*=[^\S\n]*([^\n]*)/gim;
const largeFiles = /^"?git-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?"?\s*$/;

function settingOf({ top, gitFolder, common }: Repository): string | undefined {
  for (const file of [path.join(common, 'config'), path.join(gitFolder, 'config.worktree')]) {
    const text = textOf(file);
    const where = path.relative(top, file);
    if (otherFiles.test(text)) return `${where}: include`;
    for (const [, key = '', value = ''] of text.matchAll(launching)) {
      if (!largeFiles.test(value)) return `${where}: ${key.toLowerCase()}`;
    }
    for (const [, value = ''] of text.matchAll(worktreeKey)) {
      if (path.resolve(gitFolder, value.trim()) !== top) return `${where}: worktree`;
    }
  }
  return undefined;
}

/** The one hook that commands which only look may run. */
const lookingHook = 'post-index-change';

function hookOf({ top, gitFolder, common }: Repository): string | undefined {
  const folders = [path.join(common, 'hooks')];
  for (const file of [path.join(common, 'config'), path.join(gitFolder, 'config.worktree')]) {
    for (const [, value = ''] of textOf(file).matchAll(/(?:^|\])\s*hookspath[^\S\n]*=[^\S\n]*([^\n]*)/gim)) {
      const folder = value.trim().replaceAll('"', '');
      // What is written in another way than as a plain path is not followed.
      if (/[\\#;]/.test(folder)) return `${path.relative(top, file)}: hooksPath`;
      folders.push(path.resolve(top, folder.replace(/^~\//, '/')));
    }
  }
  return folders.some((folder) => existsSync(path.join(folder, lookingHook))) ? lookingHook : undefined;
}

const maxConfigBytes = 1_000_000;

/** Empty when it is not there or cannot be read: then git cannot read it either. */
function textOf(file: string): string {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return '';
    // Nobody writes so much of it.
    if (stats.size > maxConfigBytes) return '[include]';
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
