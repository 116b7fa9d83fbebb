import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { UiStore } from './ui-store.ts';

const sliceMs = 8;

/**
 * Feeds a thread's events into the store until the handle is closed or `signal` aborts. Lets keys and timers
 * through at least every 8 ms: events that are all there already would otherwise come without a pause.
 */
export async function followThread(
  store: UiStore,
  handle: EngineHandle,
  options: { signal: AbortSignal; clock: Clock },
): Promise<void> {
  const events = handle.events()[Symbol.asyncIterator]();
  const stop = () => void events.return?.();
  options.signal.addEventListener('abort', stop, { once: true });
  let sliceStart = options.clock.now();
  try {
    while (!options.signal.aborted) {
      const next = await events.next();
      if (next.done || options.signal.aborted) return;
      store.apply(next.value);
      if (options.clock.now() - sliceStart >= sliceMs) {
        await setImmediate();
        sliceStart = options.clock.now();
      }
    }
  } finally {
    options.signal.removeEventListener('abort', stop);
  }
}
