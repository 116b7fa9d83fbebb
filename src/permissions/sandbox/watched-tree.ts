import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { wordList } from '../word-list.ts';

/** What of a workspace commands in a sandbox must not reach as they like. All by their places, links not followed. */
export type WatchedPlaces = {
  secrets: string[];
  /** Files and folders that make programs run later. */
  guarded: string[];
  /** Folders with a `.git` in them. */
  repositories: string[];
  /** The folders that were looked into, each with those in it. */
  folders: ReadonlyMap<string, readonly string[]>;
  /** False while not every folder was looked into. */
  isComplete: boolean;
  /** False: there are more folders than are ever looked into. */
  isWithinLimits: boolean;
};

type Found = Pick<WatchedPlaces, 'secrets' | 'guarded' | 'repositories'> & { folders: string[] };
type Known = Found & { changedMs: number; isSettled: boolean };

export type TreeTests = {
  isSecret(file: string): boolean;
  /** `place` begins with `/` at the root of the workspace. */
  isGuarded(place: string): boolean;
};

/** What comes with packages is theirs, and there is far too much of it. */
const skipped = new Set(wordList('node_modules .venv venv vendor site-packages __pycache__'));
const maxFolders = 4_000;
/** For folders that are new; what is left comes with the next look. */
const readingMs = 60;
/** A folder that changed so shortly before it was read may have changed once more without another time. */
const clockStepMs = 50;

/** Finds the places of a workspace anew before each command, and reads only the folders that have changed since. */
export class WatchedTree {
  readonly #roots: readonly string[];
  readonly #tests: TreeTests;
  #known = new Map<string, Known>();

  constructor(roots: readonly string[], tests: TreeTests) {
    this.#roots = roots;
    this.#tests = tests;
  }

  look(): WatchedPlaces {
    const places = {
      secrets: [],
      guarded: [],
      repositories: [],
      isComplete: true,
      isWithinLimits: true,
    } as Omit<WatchedPlaces, 'folders'>;
    const seen = new Map<string, Known>();
    const until = performance.now() + readingMs;
    for (const root of this.#roots) {
      let level = [root];
      while (level.length > 0) {
        const next: string[] = [];
        for (const folder of level) {
          if (seen.has(folder)) continue;
          if (seen.size >= maxFolders) places.isWithinLimits = false;
          const found = seen.size < maxFolders ? this.#lookInto(folder, { root, until }) : undefined;
          if (found === 'later') places.isComplete = false;
          if (!found || found === 'later') continue;
          seen.set(folder, found);
          places.secrets.push(...found.secrets);
          places.guarded.push(...found.guarded);
          places.repositories.push(...found.repositories);
          next.push(...found.folders);
        }
        level = next;
      }
    }
    this.#known = seen;
    const folders = new Map([...seen].map(([folder, found]) => [folder, found.folders]));
    return { ...places, isComplete: places.isComplete && places.isWithinLimits, folders };
  }

  /** undefined when it is gone or closed to us, and so to the command. */
  #lookInto(folder: string, { root, until }: { root: string; until: number }): Known | 'later' | undefined {
    const known = this.#known.get(folder);
    try {
      const changedMs = lstatSync(folder).mtimeMs;
      if (known?.isSettled && known.changedMs === changedMs) return known;
      if (!known && folder !== root && performance.now() > until) return 'later';
      const isSettled = Date.now() - changedMs > clockStepMs;
      return { ...this.#read(folder, root), changedMs, isSettled };
    } catch {
      return undefined;
    }
  }

  #read(folder: string, root: string): Found {
    const found: Found = { secrets: [], guarded: [], repositories: [], folders: [] };
    const place = (file: string) => `/${path.relative(root, file)}`;
    // All of it is guarded with it.
    const isWithin = folder !== root && this.#tests.isGuarded(place(folder));
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.name === '.git') {
        found.repositories.push(folder);
        continue;
      }
      const isFolder = entry.isDirectory();
      // A folder counts by what is said of files in it: `.env` is also what some call their packages.
      const isSecret = this.#tests.isSecret(isFolder ? path.join(file, 'file') : file);
      if (isSecret) found.secrets.push(file);
      else if (!isWithin && this.#tests.isGuarded(place(file))) found.guarded.push(file);
      if (isFolder && !isSecret && !skipped.has(entry.name)) found.folders.push(file);
    }
    return found;
  }
}
