import { existsSync } from 'node:fs';
import path from 'node:path';
import { realPathOf } from '#lib/paths.ts';
import type { Resource, ToolEffect } from '#protocol/permission.ts';
import type { FileChange, FileForm } from '#protocol/rewind.ts';
import type { BlobStore } from './blob-store.ts';
import { absent, isSameForm, readForm } from './file-form.ts';
import { type KnownFile, readKnownFiles, writeKnownFiles } from './known-files.ts';
import { type Scan, scanRoots } from './scan.ts';

/** A file that a tool names is kept whole up to this size; of what a command may touch, up to that. */
const namedBytes = 50_000_000;
const foundBytes = 10_000_000;
/** Bytes that a first look at a workspace may take up in the store. */
const firstBytes = 500_000_000;
/** How many files are read at the same time. */
const abreast = 16;

/** A call that may change files. */
export type CapturedCall = {
  effect: ToolEffect;
  resources: readonly Resource[];
  /** It was proved that it only reads. */
  isHarmless: boolean;
  signal: AbortSignal;
};

/** Ends with what changed since it began; `notes` says what was not looked at. */
export type Capture = { end(): Promise<{ changes: FileChange[]; notes: string[] }> };

/**
 * Keeps what files were before calls changed them. A tool that names its files costs those; a command costs a look
 * at the names and times of the workspace before and after it, and once the bytes of all of it.
 */
export class ChangeCapture {
  readonly #roots: readonly string[];
  readonly #store: BlobStore;
  readonly #indexFile: string;
  #known: Map<string, KnownFile> | undefined;
  #skipped = new Set<string>();
  #isTooLarge = false;
  readonly #told = new Set<string>();

  /** `indexFile` holds what the last session knew of the workspace. */
  constructor({
    roots,
    store,
    indexFile,
  }: { roots: readonly string[]; store: BlobStore; indexFile: string }) {
    this.#roots = roots.map(realPathOf);
    this.#store = store;
    this.#indexFile = indexFile;
  }

  /** undefined when there is nothing to keep. Rejects when the store cannot be written. */
  async begin(call: CapturedCall): Promise<Capture | undefined> {
    if (call.effect === 'write') return this.#named(call);
    if (call.effect !== 'exec' || call.isHarmless || this.#isTooLarge) return undefined;
    return this.#whole(call);
  }

  async #named({ resources }: CapturedCall): Promise<Capture> {
    const files = new Set<string>();
    for (const resource of resources)
      if (resource.kind === 'path' && resource.access === 'write')
        for (const file of withMissingParents(realPathOf(resource.path))) files.add(file);
    const read = async () => {
      const forms = new Map<string, FileForm>();
      for (const file of files)
        forms.set(file, await readForm(file, { store: this.#store, maxBytes: namedBytes }));
      return forms;
    };
    const before = await read();
    for (const [file, form] of before) if (form.kind === 'folder') files.delete(file);
    return {
      end: async () => ({ changes: differences(before, await read()), notes: [] }),
    };
  }

  async #whole({ signal }: CapturedCall): Promise<Capture | undefined> {
    const first = await this.#look(signal);
    if (!first) return { end: async () => ({ changes: [], notes: this.#notesOnce() }) };
    await this.#keep(first);
    return {
      end: async () => {
        const scan = await this.#look(new AbortController().signal);
        return { changes: scan ? await this.#compare(scan) : [], notes: this.#notesOnce() };
      },
    };
  }

  async #look(signal: AbortSignal): Promise<Scan | undefined> {
    const scan = await scanRoots(this.#roots, { skipped: this.#skipped, signal });
    if (scan.isComplete) return scan;
    this.#isTooLarge = !signal.aborted;
    return undefined;
  }

  /** Brings what is known up to the files as they are: whatever changed meanwhile was not done by a call. */
  async #keep(scan: Scan): Promise<void> {
    this.#known ??= await this.#readIndex();
    const known = this.#known;
    let room = known.size === 0 ? firstBytes : Number.POSITIVE_INFINITY;
    for (const file of known.keys()) if (!scan.entries.has(file)) known.delete(file);
    await eachOf(scan.entries, async ([file, { stamp, stats }]) => {
      if (known.get(file)?.stamp === stamp) return;
      const size = stats.isFile() ? stats.size : 0;
      room -= size;
      const maxBytes = room < 0 ? -1 : foundBytes;
      known.set(file, { stamp, form: await readForm(file, { store: this.#store, maxBytes }) });
    });
  }

  async #compare(scan: Scan): Promise<FileChange[]> {
    const known = this.#known ?? new Map<string, KnownFile>();
    const changes: FileChange[] = [];
    for (const [path, { form }] of known)
      if (!scan.entries.has(path) && !this.#isSkipped(path)) {
        changes.push({ path, before: form, after: absent });
        known.delete(path);
      }
    await eachOf(scan.entries, async ([file, { stamp }]) => {
      const old = known.get(file);
      if (old?.stamp === stamp) return;
      const after = await readForm(file, { store: this.#store, maxBytes: foundBytes });
      const before = old?.form ?? absent;
      known.set(file, { stamp, form: after });
      // The time of a folder changes with what lies in it.
      if (!isSameForm(before, after)) changes.push({ path: file, before, after });
    });
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Its content is out of sight since it grew too large; it is not gone. */
  #isSkipped(file: string): boolean {
    for (let at = file; path.dirname(at) !== at; at = path.dirname(at))
      if (this.#skipped.has(at)) return true;
    return false;
  }

  #notesOnce(): string[] {
    const notes = this.#isTooLarge
      ? ['Changes by commands cannot be taken back here: the workspace holds more files than are kept.']
      : [...this.#skipped].map(
          (folder) =>
            `Changes below ${folder} cannot be taken back: it is a large folder that is ignored or made.`,
        );
    return notes.filter((note) => !this.#told.has(note) && this.#told.add(note));
  }

  /** What the store holds for the workspace as it is. */
  kept(): ReadonlySet<string> {
    const keys = [...(this.#known?.values() ?? [])].map(({ form }) =>
      form.kind === 'file' ? form.sha256 : '',
    );
    return new Set(keys);
  }

  /** So that the next session need not read the whole workspace. */
  async save(): Promise<void> {
    if (this.#known) await writeKnownFiles(this.#indexFile, this.#known);
  }

  async #readIndex(): Promise<Map<string, KnownFile>> {
    const known = new Map<string, KnownFile>();
    await eachOf(await readKnownFiles(this.#indexFile), async ([file, entry]) => {
      const { form } = entry;
      if (form.kind !== 'file' || (await this.#store.has(form.sha256))) known.set(file, entry);
    });
    return known;
  }
}

function differences(
  before: ReadonlyMap<string, FileForm>,
  after: ReadonlyMap<string, FileForm>,
): FileChange[] {
  return [...after].flatMap(([path, form]) => {
    const old = before.get(path) ?? absent;
    return isSameForm(old, form) ? [] : [{ path, before: old, after: form }];
  });
}

/** The file and the folders above it that a tool would have to make. */
function withMissingParents(file: string): string[] {
  const files = [file];
  for (let at = path.dirname(file); path.dirname(at) !== at && !existsSync(at); at = path.dirname(at))
    files.push(at);
  return files;
}

async function eachOf<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const run = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: abreast }, run));
}
