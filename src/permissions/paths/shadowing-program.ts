import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { absoluteFolders } from '#lib/find-program.ts';
import type { PathScope } from './path-policy.ts';

/** The file of the workspace that runs where a program is called by this name; undefined when there is none. */
export type ProgramSearch = (name: string) => string | undefined;

/** What programs that only look start by name. */
const started = new Map([
  ['git', ['git-lfs', 'gpg', 'less', 'sh', 'ssh']],
  ['man', ['groff', 'less', 'nroff', 'sh']],
]);

/**
 * Looks on a PATH: also for what the program itself starts by name, and, of a script, for the one that runs it
 * (`#!/usr/bin/env node`).
 */
export function programSearch(searchPath: string | undefined, scope: PathScope): ProgramSearch {
  const own = scope.programFolders(searchPath);
  if (own.length === 0) return () => undefined;
  const all = absoluteFolders(searchPath ?? scope.searchPath);
  const find = (folders: readonly string[], name: string) =>
    folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  return (name) => {
    const isPath = name.includes('/');
    const file = isPath ? name : find(all, name);
    const reader = file !== undefined && path.isAbsolute(file) ? interpreterOf(file) : undefined;
    const others = [...(reader === undefined ? [] : [reader]), ...(started.get(path.basename(name)) ?? [])];
    return [...(isPath ? [] : [name]), ...others].map((each) => find(own, each)).find((each) => each);
  };
}

const headBytes = 200;

/** Named by name alone, as `env` does it. */
function interpreterOf(file: string): string | undefined {
  const head = headOf(file);
  const words = /^#![^\S\n]*\S*\/env[^\S\n]+([^\n]*)/.exec(head)?.[1]?.split(/\s+/) ?? [];
  return words.find((word) => word !== '' && !/^-|[=/]/.test(word));
}

function headOf(file: string): string {
  try {
    if (!statSync(file).isFile()) return '';
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(headBytes);
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, headBytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
