import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { log } from '#lib/log.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { endGroup, endMarked, processStamp } from '#lib/process-group.ts';

const entrySchema = z.object({
  id: z.string(),
  pid: z.number().int().positive(),
  /** See `processStamp`. */
  stamp: z.string(),
  mark: z.string(),
  owner: z.object({ pid: z.number().int(), stamp: z.string() }),
  command: z.string(),
  /** The folder of the session. */
  project: z.string(),
  startedAt: z.number(),
  isKept: z.boolean(),
});
export type RegistryEntry = z.infer<typeof entrySchema>;

const graceMs = 300;
/** A kept command belongs to no session any more. */
const nobody = { pid: 0, stamp: '' };

/**
 * Which commands run, on disk, so that those of an llmcode that was killed are found by the next one. A process is
 * only ended when it is the one that was started: by its number with its start time, or by the mark that it carries.
 */
export class ShellRegistry {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = path.join(home, 'shells');
  }

  /** Where the output of a kept command goes once nobody listens. */
  outputFile(id: string): string {
    return path.join(this.#folder, `${id}.out`);
  }

  add(facts: Pick<RegistryEntry, 'id' | 'pid' | 'mark' | 'command' | 'project' | 'startedAt'>): void {
    const stamp = processStamp(facts.pid);
    const own = processStamp(process.pid);
    if (stamp === undefined || own === undefined) return; // Over already, or it cannot be told from another.
    this.#write({ ...facts, stamp, owner: { pid: process.pid, stamp: own }, isKept: false });
  }

  /** Throws when that cannot be written down: then it would be taken for one that was left behind. */
  keep(id: string, tail: string): void {
    const entry = this.#read(this.#file(id));
    if (!entry) throw new Error('it is not written down');
    writeFileSync(this.outputFile(id), tail, { mode: 0o600 });
    writeFileSync(this.#file(id), JSON.stringify({ ...entry, owner: nobody, isKept: true }), { mode: 0o600 });
  }

  remove(id: string): void {
    rmSync(this.#file(id), { force: true });
    rmSync(this.outputFile(id), { force: true });
  }

  isAlive({ pid, stamp }: Pick<RegistryEntry, 'pid' | 'stamp'>): boolean {
    return processStamp(pid) === stamp;
  }

  /** Ends it if it is still there; true when something was ended. */
  async end(entry: RegistryEntry): Promise<boolean> {
    const isAlive = this.isAlive(entry);
    if (isAlive) await endGroup(entry.pid, { graceMs, mark: entry.mark });
    const wasLeft = !isAlive && endMarked(entry.mark);
    this.remove(entry.id);
    return isAlive || wasLeft;
  }

  /** Ends what an llmcode that is gone left running and was not told to keep. */
  async sweep(): Promise<{ ended: RegistryEntry[]; kept: RegistryEntry[] }> {
    const ended: RegistryEntry[] = [];
    const kept: RegistryEntry[] = [];
    for (const entry of this.#entries()) {
      const { owner } = entry;
      if (owner.pid > 0 && processStamp(owner.pid) === owner.stamp) continue;
      if (entry.isKept && this.isAlive(entry)) kept.push(entry);
      else if (await this.end(entry)) ended.push(entry);
    }
    return { ended, kept };
  }

  #entries(): RegistryEntry[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
      return names.flatMap((name) => this.#read(path.join(this.#folder, name)) ?? []);
    } catch {
      return []; // Nothing was ever run.
    }
  }

  #read(file: string): RegistryEntry | undefined {
    try {
      return entrySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return undefined; // Half written by one that was killed just then, or gone meanwhile.
    }
  }

  #write(entry: RegistryEntry): void {
    try {
      makeFolder(this.#folder);
      writeFileSync(this.#file(entry.id), JSON.stringify(entry), { mode: 0o600 });
    } catch (error) {
      log('a running command could not be written down:', error); // It runs all the same.
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}
