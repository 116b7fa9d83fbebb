import path from 'node:path';
import { globTest } from '#lib/glob-pattern.ts';
import { isInside, realPathOf } from '#lib/paths.ts';
import {
  foldersDown,
  type InstructionPlace,
  type PlaceOptions,
  placesIn,
  repositoryRoot,
  ruleFiles,
} from './instruction-places.ts';
import { readInstructionText } from './instruction-text.ts';
import { type InstructionFile, type Instructions, loadPlaces } from './instructions.ts';
import { readBounded } from './read-bounded.ts';

/** Code of others: what it says to agents is not for this project. */
const foreignFolders = new Set(['node_modules', '.git', 'vendor', '.venv', 'site-packages']);
const maxFoldersACall = 64;

type ScopedRule = { place: InstructionPlace; base: string; isFor(file: string): boolean };

/**
 * Instructions that count only for a part of the project, found when the work gets there: files in folders below the
 * working folder, and rules for certain paths. Each is given once to a thread. Made for one thread.
 */
export class NearInstructions {
  readonly #options: PlaceOptions;
  readonly #root: string;
  readonly #given: Set<string>;
  readonly #folders = new Set<string>();
  readonly #rules: ScopedRule[] = [];
  #isBegun = false;

  /** `given`: what the thread began with. */
  constructor(options: PlaceOptions, given: readonly Pick<InstructionFile, 'path'>[]) {
    this.#options = options;
    this.#root = repositoryRoot(options.cwd, options.userHome);
    this.#given = new Set(given.map((file) => file.path));
  }

  /** What counts for these absolute paths and was not given yet. Never throws. */
  async forPaths(paths: readonly string[]): Promise<Instructions> {
    await this.#begin();
    const real = paths
      .map(realPathOf)
      .filter((file) => isInside(file, this.#root) && !isForeign(file, this.#root));
    const places: InstructionPlace[] = [];
    for (const folder of this.#newFolders(real)) {
      places.push(...placesIn(folder, this.#root));
      await this.#addRules(folder);
    }
    const plain = await this.#load(places, { withScoped: false });
    const rules = this.#rules.filter(({ base, isFor }) =>
      real.some((file) => isInside(file, base) && isFor(path.relative(base, file).replaceAll(path.sep, '/'))),
    );
    const scoped = await this.#load(
      rules.map(({ place }) => place),
      { withScoped: true },
    );
    return {
      blocks: [...plain.blocks, ...scoped.blocks],
      files: [...plain.files, ...scoped.files],
      notices: [...plain.notices, ...scoped.notices],
    };
  }

  /** The folders down to the working folder were read at the start, but for their rules for certain paths. */
  async #begin(): Promise<void> {
    if (this.#isBegun) return;
    this.#isBegun = true;
    for (const folder of foldersDown(this.#root, realPathOf(this.#options.cwd))) {
      this.#folders.add(folder);
      await this.#addRules(folder);
    }
  }

  #newFolders(files: readonly string[]): string[] {
    const found = files
      .flatMap((file) => foldersDown(this.#root, path.dirname(file)))
      .filter((folder) => isInside(folder, this.#root) && !this.#folders.has(folder));
    const folders = [...new Set(found)].slice(0, maxFoldersACall);
    for (const folder of folders) this.#folders.add(folder);
    return folders;
  }

  async #addRules(folder: string): Promise<void> {
    for (const file of ruleFiles(folder)) {
      const read = await readBounded(file, this.#root);
      if (read.kind !== 'text') continue;
      const globs = readInstructionText(read.text).paths;
      if (!globs) continue;
      const tests = globs.map(globTest);
      this.#rules.push({
        place: { path: file, scope: 'project', root: this.#root },
        base: folder,
        isFor: (name) => tests.some((test) => test(name)),
      });
    }
  }

  async #load(
    places: readonly InstructionPlace[],
    { withScoped }: { withScoped: boolean },
  ): Promise<Instructions> {
    if (places.length === 0) return { blocks: [], files: [], notices: [] };
    const loaded = await loadPlaces(places, { ...this.#options, known: this.#given, withScoped });
    for (const file of loaded.files) this.#given.add(file.path);
    return loaded;
  }
}

function isForeign(file: string, root: string): boolean {
  return path
    .relative(root, file)
    .split(path.sep)
    .some((name) => foreignFolders.has(name));
}
