import type { Clock } from '#lib/clock.ts';
import type { CodeProblem } from '#protocol/languages.ts';
import { fileOfUri, problemsIn, publishedSchema } from './wire.ts';

type Known = { problems: CodeProblem[]; arrivals: number };

const maxFiles = 1_000;

/** The problems that a server has published, by file. */
export class Published {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  #wake = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `versionOf` tells answers to an older text of the file from those to the newest. */
  take(params: unknown, versionOf: (file: string) => number | undefined): void {
    const said = publishedSchema.safeParse(params).data;
    const file = said && fileOfUri(said.uri);
    if (!said || file === undefined) return;
    const version = versionOf(file);
    if (typeof said.version === 'number' && version !== undefined && said.version < version) return;
    const arrivals = (this.#known.get(file)?.arrivals ?? 0) + 1;
    this.#known.delete(file);
    this.#known.set(file, { problems: problemsIn(said.diagnostics), arrivals });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxFiles && oldest !== undefined) this.#known.delete(oldest);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  of(file: string): CodeProblem[] | undefined {
    return this.#known.get(file)?.problems;
  }

  arrivals(file: string): number {
    return this.#known.get(file)?.arrivals ?? 0;
  }

  /**
   * Waits until something newer than `since` was published and nothing more came for `quietMs`: servers publish in
   * portions. False when that did not happen in time.
   */
  async settled(
    file: string,
    options: { since: number; quietMs: number; timeoutMs: number; signal: AbortSignal },
  ): Promise<boolean> {
    const { since, quietMs, timeoutMs, signal } = options;
    const until = this.#clock.now() + timeoutMs;
    let seen = since;
    for (;;) {
      const left = until - this.#clock.now();
      if (left <= 0 || signal.aborted) return false;
      const before = this.arrivals(file);
      const isNew = before > since;
      const limit = isNew ? Math.min(quietMs, left) : left;
      await this.#newsOr(limit, signal);
      const now = this.arrivals(file);
      if (isNew && now === before && now === seen && limit === quietMs) return true;
      seen = now;
    }
  }

  async #newsOr(ms: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const waiting = this.#clock.wait(ms, { signal: AbortSignal.any([signal, stop.signal]) });
    await Promise.race([this.#wake.promise, waiting]);
    stop.abort();
  }
}
