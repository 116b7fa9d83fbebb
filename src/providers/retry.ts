import type { ModelError } from '#protocol/model-error.ts';

export type RetryPolicy = {
  /** The first try counts too. */
  maxAttempts: number;
  /** No single wait is longer; a server that asks for more gets no silent retry. */
  maxWaitMs: number;
  /** From 0 up to 1; spreads the retries of many clients. */
  random: () => number;
};

export const defaultMaxWaitMs = 60_000;
const firstWaitMs = 1_000;
const longestOwnWaitMs = 30_000;

/**
 * Milliseconds to wait before the next try; undefined when there shall be none. Doubles from one second with a
 * quarter of jitter, or what the server asks for.
 */
export function retryDelay(
  error: ModelError,
  failedAttempts: number,
  { maxAttempts, maxWaitMs, random }: RetryPolicy,
): number | undefined {
  if (!error.retryable || failedAttempts >= maxAttempts) return undefined;
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > maxWaitMs) return undefined;
  const jitter = 0.75 + random() * 0.5;
  const own = Math.min(firstWaitMs * 2 ** (failedAttempts - 1) * jitter, longestOwnWaitMs, maxWaitMs);
  // A server that says "at once" is taken at its word the first time only.
  if (asked !== undefined) return Math.round(failedAttempts === 1 ? asked : Math.max(asked, own));
  return Math.round(own);
}

/** The error as a person gets it when it is not tried again, with why that is so. */
export function finalError(error: ModelError, failedAttempts: number, policy: RetryPolicy): ModelError {
  if (!error.retryable) return error;
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > policy.maxWaitMs && failedAttempts < policy.maxAttempts) {
    return { ...error, advice: `The server asks to wait ${spoken(asked)}. ${error.advice}` };
  }
  if (failedAttempts < 2) return error;
  return { ...error, advice: `It failed ${failedAttempts} times in a row. ${error.advice}` };
}

function spoken(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
