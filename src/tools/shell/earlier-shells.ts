import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { BackgroundShell } from '#protocol/shells.ts';
import type { RegistryEntry, ShellRegistry } from './shell-registry.ts';

const tailBytes = 4_000;
const mostBytes = 200_000;

/** Commands that an earlier session was told to keep: how they are doing, what they say, and how to end them. */
export class EarlierShells {
  readonly #registry: ShellRegistry;
  #entries: RegistryEntry[] = [];
  readonly #readUpTo = new Map<string, number>();

  constructor(registry: ShellRegistry) {
    this.#registry = registry;
  }

  add(entries: readonly RegistryEntry[]): void {
    this.#entries.push(...entries);
  }

  /** Those that still run. */
  list(): BackgroundShell[] {
    for (const entry of this.#entries) if (!this.#registry.isAlive(entry)) this.#registry.remove(entry.id);
    this.#entries = this.#entries.filter((entry) => this.#registry.isAlive(entry));
    return this.#entries.map((entry) => this.#facts(entry, 'running'));
  }

  find(id: string): BackgroundShell | undefined {
    return this.list().find((shell) => shell.id === id);
  }

  read(shell: BackgroundShell): { text: string; droppedChars: number; outputPath: string } {
    const outputPath = this.#registry.outputFile(shell.id);
    const from = this.#readUpTo.get(shell.id) ?? 0;
    const { text, start, end } = readFrom(outputPath, from, mostBytes);
    this.#readUpTo.set(shell.id, end);
    return { text, droppedChars: start - from, outputPath };
  }

  async kill(id: string): Promise<BackgroundShell | undefined> {
    const entry = this.#entries.find((each) => each.id === id);
    if (!entry) return undefined;
    const facts = this.#facts(entry, 'killed');
    this.#entries = this.#entries.filter((each) => each !== entry);
    await this.#registry.end(entry);
    return facts;
  }

  #facts(entry: RegistryEntry, state: BackgroundShell['state']): BackgroundShell {
    const { id, command, startedAt } = entry;
    const { text } = readFrom(this.#registry.outputFile(id), 0, tailBytes);
    const lines = text.split('\n').length - 1;
    return {
      ...{ id, command, state, startedAt, lines, tail: text },
      exitCode: null,
      signal: null,
      isKept: true,
      isEarlier: true,
    };
  }
}

/** What stands in the file behind `from`, at most the last `most` bytes of it. */
function readFrom(file: string, from: number, most: number): { text: string; start: number; end: number } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const end = fstatSync(descriptor).size;
    const start = Math.max(Math.min(from, end), end - most);
    const bytes = Buffer.alloc(end - start);
    readSync(descriptor, bytes, 0, bytes.length, start);
    return { text: bytes.toString('utf8'), start, end };
  } catch {
    return { text: '', start: from, end: from }; // It has said nothing.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
