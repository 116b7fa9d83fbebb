/** Time as a value, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  wait(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
  /** Calls back once after `ms`; returns how to cancel. Does not keep the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that a timer of Node can wait, 24 days; one that is set to more would fire at once. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, { signal } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, longestMs));
      signal?.addEventListener('abort', done, { once: true });
    }),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longestMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
