import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOf } from '#lib/paths.ts';

/** A place where an instruction file may lie. `root`: a link in it must not lead out of there; null = anywhere. */
export type InstructionPlace = { path: string; scope: 'user' | 'project'; root: string | null };

export type PlaceOptions = { cwd: string; home: string; userHome: string };

/**
 * Every place to look at, weakest first: the user's own files, then each folder from the repository's root down
 * to the working folder. Formats: AGENTS.md, CLAUDE.md and rule folders as other agents read them.
 */
export function instructionPlaces({ cwd, home, userHome }: PlaceOptions): InstructionPlace[] {
  const user = [
    path.join(home, 'AGENTS.md'),
    path.join(userHome, '.config', 'AGENTS.md'),
    path.join(userHome, '.claude', 'CLAUDE.md'),
  ].map((file): InstructionPlace => ({ path: file, scope: 'user', root: null }));
  const root = repositoryRoot(cwd, userHome);
  const project = foldersDown(root, realPathOf(cwd)).flatMap((folder) => placesIn(folder, root));
  return [...user, ...project];
}

/** Every place in one folder of a project. */
export function placesIn(folder: string, root: string): InstructionPlace[] {
  const files = [...folderFiles(folder), ...ruleFiles(folder)];
  return files.map((file) => ({ path: file, scope: 'project', root }));
}

/** The nearest folder upwards that holds `.git`, never the home folder or above it; else `cwd` itself. */
export function repositoryRoot(cwd: string, userHome: string): string {
  const start = realPathOf(cwd);
  const end = realPathOf(userHome);
  for (let folder = start; folder !== end; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (path.dirname(folder) === folder) break;
  }
  return start;
}

/** `root` and each folder down to `cwd`, both included. */
export function foldersDown(root: string, cwd: string): string[] {
  if (!isInside(cwd, root)) return [cwd];
  const steps = path.relative(root, cwd).split(path.sep).filter(Boolean);
  return [root, ...steps.map((_, index) => path.join(root, ...steps.slice(0, index + 1)))];
}

function folderFiles(folder: string): string[] {
  const override = path.join(folder, 'AGENTS.override.md');
  return [
    existsSync(override) ? override : path.join(folder, 'AGENTS.md'),
    path.join(folder, 'CLAUDE.md'),
    path.join(folder, '.claude', 'CLAUDE.md'),
    path.join(folder, 'CLAUDE.local.md'),
  ];
}

export function ruleFiles(folder: string): string[] {
  return [path.join(folder, '.llmcode', 'rules'), path.join(folder, '.claude', 'rules')].flatMap((rules) => {
    try {
      const names = readdirSync(rules).filter((name) => name.endsWith('.md'));
      return names.sort().map((name) => path.join(rules, name));
    } catch {
      return []; // No such folder, or one that cannot be read: it holds no rules for us.
    }
  });
}
