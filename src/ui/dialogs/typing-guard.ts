import type { Clock } from '#lib/clock.ts';

/** A key this soon after a dialog appeared, or after the key before it, was meant for what stood there before. */
export const guardMs = 300;

/**
 * Keeps typing ahead from answering a dialog that comes up under the person's fingers. A key that is turned away
 * starts the time anew, so somebody who goes on typing answers nothing until they pause.
 */
export interface TypingGuard {
  /** A dialog is on the screen from now on. */
  raise(): void;
  /** True when the dialog may take a key that arrives now. */
  admits(): boolean;
  /** A key went elsewhere. */
  noteKey(): void;
  /** Calls back once when the guard comes down, unless it was raised again meanwhile. */
  onLowered(callback: () => void): void;
  stop(): void;
}

export function createTypingGuard(clock: Clock): TypingGuard {
  let quietSince = Number.NEGATIVE_INFINITY;
  let callback: (() => void) | undefined;
  let cancel: (() => void) | undefined;

  const restart = () => {
    quietSince = clock.now();
    if (!callback) return;
    cancel?.();
    cancel = clock.after(guardMs, () => callback?.());
  };

  return {
    raise: restart,
    admits: () => clock.now() - quietSince >= guardMs,
    noteKey: restart,
    onLowered(listener) {
      callback = listener;
    },
    stop() {
      cancel?.();
      callback = undefined;
    },
  };
}
