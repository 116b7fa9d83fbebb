import { AsyncQueue } from '#lib/async-queue.ts';

/** Milliseconds of work at a stretch, after which keys and timers get their turn. */
const stretchMs = 12;

/**
 * The items of `source` until `signal` aborts; then it ends at once, also when `source` hangs. A source that
 * delivers faster than the rest of the program can work leaves room for it. Rejects when `source` does.
 */
export async function* abortable<T>(
  source: AsyncIterable<T>,
  { signal, merge }: { signal: AbortSignal; merge?: (last: T, next: T) => T | undefined },
): AsyncGenerator<T> {
  const queue = new AsyncQueue<T>(merge ? { merge } : {});
  let failure: { error: unknown } | undefined;
  const end = () => queue.close();
  if (signal.aborted) return;
  signal.addEventListener('abort', end, { once: true });
  void pump();
  try {
    for await (const item of queue) {
      if (signal.aborted) return;
      yield item;
    }
    if (failure && !signal.aborted) throw failure.error;
  } finally {
    signal.removeEventListener('abort', end);
  }

  async function pump(): Promise<void> {
    let since = performance.now();
    try {
      for await (const item of source) {
        queue.push(item);
        if (signal.aborted) return;
        if (performance.now() - since < stretchMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        since = performance.now();
      }
    } catch (error) {
      failure = { error };
    } finally {
      queue.close();
    }
  }
}
