import path from 'node:path';
import { entriesOf, type IgnoreFile, isIgnored, rulesAbove, rulesIn } from '#lib/ignore-files.ts';

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
