import type { ModelError } from '#protocol/model-error.ts';
import { isLoading } from './errors/wordings.ts';

export type RetryPolicy = {
  /** The first try counts too. */
  maxAttempts: number;
  /** No single wait is longer; a server that asks for more gets no silent retry. */
  maxWaitMs: number;
  /** The waits while a provider is overloaded. They are counted apart; [] = like any other failure. */
  overloadWaitsMs: readonly number[];
  /** From 0 up to 1; spreads the retries of many clients. */
  random: () => number;
};

/** `attempt` of `maxAttempts` is made after `delayMs`. */
export type NextTry = { delayMs: number; attempt: number; maxAttempts: number };

export const defaultMaxWaitMs = 60_000;
const firstWaitMs = 1_000;
const longestOwnWaitMs = 30_000;
/** A server that still loads its model is there any moment. */
const loadingWaitsMs: readonly number[] = [2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000, 60_000];

/** Counts the failures of one call and says when it is tried again. */
export class RetryTrack {
  readonly #policy: RetryPolicy;
  readonly #limit: number;
  #failures = 0;
  #overloads = 0;

  /** `limit`: failures of any kind after which the caller has something better to do than to try again. */
  constructor(policy: RetryPolicy, limit = Number.POSITIVE_INFINITY) {
    this.#policy = policy;
    this.#limit = limit;
  }

  /** After each failure; undefined when there shall be no other try. */
  next(error: ModelError): NextTry | undefined {
    const slow = this.#slowWaits(error);
    const failed = slow ? ++this.#overloads : ++this.#failures;
    const all = this.#failures + this.#overloads;
    const maxAttempts = Math.min(slow ? slow.length + 1 : this.#policy.maxAttempts, this.#limit);
    if (!error.retryable || failed >= maxAttempts || all >= this.#limit) return undefined;
    const delayMs = this.#delay(error, failed, slow);
    return delayMs === undefined ? undefined : { delayMs, attempt: failed + 1, maxAttempts };
  }

  /** The error as a person gets it when it is not tried again, with why that is so. */
  finalError(error: ModelError): ModelError {
    if (!error.retryable) return error;
    const asked = error.retryAfterMs;
    if (asked !== undefined && asked > this.#longestWait(this.#slowWaits(error)))
      return { ...error, advice: `The server asks to wait ${spoken(asked)}. ${error.advice}` };
    const all = this.#failures + this.#overloads;
    return all < 2 ? error : { ...error, advice: `It failed ${all} times in a row. ${error.advice}` };
  }

  /** The waits of the slow track; undefined when the failure is an ordinary one. */
  #slowWaits(error: ModelError): readonly number[] | undefined {
    const { maxAttempts, overloadWaitsMs } = this.#policy;
    // Who wants no repetition means this one too.
    if (error.class !== 'overloaded' || maxAttempts < 2 || overloadWaitsMs.length === 0) return undefined;
    return isLoading(error.message) ? loadingWaitsMs : overloadWaitsMs;
  }

  #longestWait(slow: readonly number[] | undefined): number {
    return Math.max(this.#policy.maxWaitMs, ...(slow ?? []));
  }

  /** What the server asks for, or our own: the slow track's, or doubled from one second with a quarter of jitter. */
  #delay(error: ModelError, failed: number, slow: readonly number[] | undefined): number | undefined {
    const { maxWaitMs, random } = this.#policy;
    const asked = error.retryAfterMs;
    if (asked !== undefined && asked > this.#longestWait(slow)) return undefined;
    const doubled = firstWaitMs * 2 ** (failed - 1) * (0.75 + random() * 0.5);
    const own = slow?.[failed - 1] ?? Math.min(doubled, longestOwnWaitMs, maxWaitMs);
    // A server that says "at once" is taken at its word the first time only.
    if (asked !== undefined) return Math.round(failed === 1 ? asked : Math.max(asked, own));
    return Math.round(own);
  }
}

function spoken(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
