/** Name look-ups cannot be stopped; they can be left behind. Rejects when `signal` aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => stopped.reject(new Error('interrupted'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
