import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { displayPath } from '#lib/paths.ts';
import type { Resource } from '#protocol/permission.ts';

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
