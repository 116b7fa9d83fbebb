import { systemClock } from '#lib/clock.ts';

/** Calls `show` at most once in `intervalMs`: at once when it has been quiet, and once more after a burst. */
export function paced(show: () => void, intervalMs: number): { touch(): void; stop(): void } {
  let lastAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  const now = () => {
    cancel = undefined;
    lastAt = performance.now();
    show();
  };
  return {
    touch() {
      if (cancel) return;
      const wait = lastAt + intervalMs - performance.now();
      if (wait <= 0) now();
      else cancel = systemClock.after(wait, now);
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
