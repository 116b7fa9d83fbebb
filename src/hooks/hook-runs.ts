import type { HookReply } from './reply.ts';

/** One run of a hook, for the person. */
export type HookRun = {
  /** Milliseconds since 1970. */
  at: number;
  event: string;
  file: string;
  hook: string;
  durationMs: number;
  /** Of a command; the status of an http hook. */
  exitCode: number | null;
  /** `failed` = it gave no verdict. */
  decision: NonNullable<HookReply['decision']> | 'continue' | 'failed';
  /** Its reason, or what went wrong. */
  text?: string;
};

/** The newest runs of a session, oldest first. */
export class HookRuns {
  readonly #runs: HookRun[] = [];

  add(run: HookRun): void {
    this.#runs.push(run);
    if (this.#runs.length > maxRuns) this.#runs.shift();
  }

  list(): readonly HookRun[] {
    return this.#runs;
  }
}

const maxRuns = 200;
