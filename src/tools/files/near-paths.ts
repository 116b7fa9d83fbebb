import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { displayPath, isInside } from '#lib/paths.ts';
import type { ToolContext } from '#protocol/tool.ts';

/** What a model that got a path slightly wrong may have meant, and from where its paths are seen. */
export async function nearPaths(file: string, ctx: ToolContext): Promise<string> {
  const { cwd, shellCwd = cwd } = ctx;
  const inShell = shellCwd === cwd ? undefined : await fromShell(file, { ...ctx, shellCwd });
  return inShell ?? (await nearestExisting(file, cwd));
}

/** A model that went to another folder with `cd` thinks that all tools followed. */
async function fromShell(
  file: string,
  { cwd, roots, shellCwd }: ToolContext & { shellCwd: string },
): Promise<string | undefined> {
  const meant = path.join(shellCwd, path.relative(cwd, file));
  // What lies outside of the workspace is not told of.
  const isLookedFor = roots.some((root) => isInside(meant, root));
  const near = isLookedFor ? await namedOrNear(meant) : [];
  const isFound = near !== undefined && near.length > 0;
  if (!isFound && !isInside(file, cwd)) return undefined;
  const question = isFound ? ` Did you mean ${either(near, cwd)}?` : ` ${await nearestExisting(file, cwd)}`;
  const shell = displayPath(shellCwd, cwd);
  return `The shell is in ${shell} now, but the paths of file tools start at ${cwd}.${question}`;
}

async function namedOrNear(file: string): Promise<string[] | undefined> {
  return existsSync(file) ? [file] : nearNames(file);
}

async function nearestExisting(file: string, cwd: string): Promise<string> {
  const [, bare, line] = /^(.+?):(\d+)(?::\d+|-\d+)?$/s.exec(file) ?? [];
  if (bare !== undefined && (await namesIn(path.dirname(bare)))?.includes(path.basename(bare)))
    return `Did you mean ${displayPath(bare, cwd)} with offset ${line}?`;
  const folder = path.dirname(file);
  const near = await nearNames(file);
  if (!near) {
    let parent = path.dirname(folder);
    while (parent !== path.dirname(parent) && !(await namesIn(parent))) parent = path.dirname(parent);
    const known = displayPath(parent, cwd);
    const nearest = known === '.' ? '' : `; ${known} does`;
    return `Its folder does not exist either${nearest}. Find files with glob_search.`;
  }
  return near.length > 0 ? `Did you mean ${either(near, cwd)}?` : 'Find files with glob_search.';
}

function either(files: readonly string[], cwd: string): string {
  return files.map((file) => displayPath(file, cwd)).join(' or ');
}

/** Files beside the wanted one with a name much like its; undefined when its folder does not exist. */
async function nearNames(file: string): Promise<string[] | undefined> {
  const folder = path.dirname(file);
  const wanted = path.basename(file);
  return (await namesIn(folder))
    ?.map((name) => ({ name, distance: nameDistance(name, wanted) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => path.join(folder, name));
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(folder)).slice(0, 5_000);
  } catch {
    return undefined; // Missing or closed to us: either way there is nothing to suggest from it.
  }
}

/** 0 when only case, `-`/`_` or the Unicode form differ; else the number of edits, given up above 2. */
function nameDistance(name: string, wanted: string): number {
  const a = plainName(name);
  const b = plainName(wanted);
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 3;
}

function plainName(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/[-_ ]/g, '');
}
