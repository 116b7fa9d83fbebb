import type { RunEnd } from '../print/result-line.ts';

export type StopReason = Extract<RunEnd['reason'], 'timeout' | 'interrupted' | 'denied' | 'error'> | 'closed';
export type Stop = { reason: StopReason; exitCode: number; text: string };

/** Ends a headless run from outside; the first reason counts. */
export class StopSwitch {
  readonly #controller = new AbortController();
  readonly #stopped = Promise.withResolvers<Stop>();
  #stop: Stop | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Resolves when it is pulled; otherwise never. */
  get stopped(): Promise<Stop> {
    return this.#stopped.promise;
  }

  pull(stop: Stop): void {
    if (this.#stop) return;
    this.#stop = stop;
    this.#controller.abort();
    this.#stopped.resolve(stop);
  }
}
