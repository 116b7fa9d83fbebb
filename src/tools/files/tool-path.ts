import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { displayPath } from '#lib/paths.ts';
import type { FileProblem } from '#lib/regular-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { Resource } from '#protocol/permission.ts';
import { toolError } from '../result/tool-error.ts';
import { size } from '../result/words.ts';

/** Longest path of Linux and macOS, and longest name in it, in bytes. */
const maxPathBytes = 4_096;
const maxNameBytes = 255;

export const toolPath = z
  .string()
  .refine((text) => text !== '', 'is empty')
  .refine((text) => !text.includes('\0'), 'holds a NUL character')
  .refine((text) => text.isWellFormed(), 'holds half of a character pair')
  .refine(
    (text) =>
      Buffer.byteLength(text) <= maxPathBytes &&
      text.split('/').every((name) => Buffer.byteLength(name) <= maxNameBytes),
    'is longer than a path can be',
  );

/**
 * Where a path given by the model points: `~/` is the home folder, anything else is relative to `cwd`. A `/` at the
 * end stays: to the system `a.ts/` is no name of the file `a.ts`.
 */
export function absolutePath(text: string, cwd: string): string {
  const isHome = text === '~' || text.startsWith('~/');
  const file = isHome ? path.join(homedir(), text.slice(1)) : path.resolve(cwd, text);
  return text.endsWith('/') && !file.endsWith('/') ? `${file}/` : file;
}

/** What a tool says of itself that changes the one file at its `path`. */
export const changesPath = {
  touches: ({ path: text }: { path: string }, { cwd }: { cwd: string }): Resource[] => [
    { kind: 'path', path: absolutePath(text, cwd), access: 'write' },
  ],
  title: ({ path: text }: { path: string }, { cwd }: { cwd: string }) =>
    displayPath(absolutePath(text, cwd), cwd),
};

/** `use` says what was wanted. */
export async function problemResult(
  problem: FileProblem,
  { file, cwd, use }: { file: string; cwd: string; use: 'read' | 'changed' | 'listed' | 'searched' },
): Promise<ToolResult> {
  const shown = displayPath(file, cwd);
  switch (problem.kind) {
    case 'missing': {
      if (file.endsWith('/') && existsSync(file.slice(0, -1))) {
        const advice = use === 'listed' ? 'Read it with read_file.' : 'Leave out the / at its end.';
        return toolError('not_a_folder', `${shown} is a file, not a folder. ${advice}`);
      }
      const code = use === 'listed' ? 'folder_missing' : 'file_missing';
      const what = { read: 'file', changed: 'file', listed: 'folder', searched: 'file or folder' }[use];
      return toolError(code, `There is no ${what} ${shown}. ${await nearestExisting(file, cwd)}`);
    }
    case 'folder':
      return toolError('not_a_file', `${shown} is a folder. List it with list_directory.`);
    case 'special':
      return toolError(
        'not_a_file',
        `${shown} is a pipe, a socket or a device, not a regular file; it cannot be ${use}.`,
      );
    case 'forbidden':
      return toolError('not_readable', `${shown} may not be read by this user (permission denied).`);
    case 'loop':
      return toolError('not_a_file', `${shown} is a symbolic link that leads back to itself.`);
    case 'moved':
      return toolError(
        'changed_on_disk',
        `${shown} leads elsewhere than when the call was allowed: a link was put in its way. Nothing was ${use}.`,
      );
    case 'too-large':
      return toolError(
        'too_large',
        `${shown} is too large to be ${use} here (${size(problem.bytes)}). Use bash, e.g. sed, head or split.`,
      );
    case 'failed':
      return toolError('not_readable', `${shown} could not be read: ${problem.text}`);
  }
}

/** What a model that got a path slightly wrong may have meant. */
async function nearestExisting(file: string, cwd: string): Promise<string> {
  const [, bare, line] = /^(.+?):(\d+)(?::\d+|-\d+)?$/s.exec(file) ?? [];
  if (bare !== undefined && (await namesIn(path.dirname(bare)))?.includes(path.basename(bare)))
    return `Did you mean ${displayPath(bare, cwd)} with offset ${line}?`;
  const folder = path.dirname(file);
  const names = await namesIn(folder);
  if (!names) {
    let parent = path.dirname(folder);
    while (parent !== path.dirname(parent) && !(await namesIn(parent))) parent = path.dirname(parent);
    const known = displayPath(parent, cwd);
    const nearest = known === '.' ? '' : `; ${known} does`;
    return `Its folder does not exist either${nearest}. Find files with glob_search.`;
  }
  const wanted = path.basename(file);
  const near = names
    .map((name) => ({ name, distance: nameDistance(name, wanted) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => displayPath(path.join(folder, name), cwd));
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Find files with glob_search.';
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
