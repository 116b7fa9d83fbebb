import { log } from '#lib/log.ts';

/** Owns every piece of work that nobody waits for at once; a failure goes to the log. */
export class Supervisor {
  readonly #running = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const watched = work
      .catch((error: unknown) => log('background work failed:', error))
      .finally(() => this.#running.delete(watched));
    this.#running.add(watched);
  }

  /** Resolves when nothing runs, also nothing that was added meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
