import type { Clock } from '#lib/clock.ts';

/** A key this soon after a dialog appeared, or after a key before that, was meant for what stood there before. */
export const guardMs = 300;

/**
 * Keeps typing ahead from answering a dialog that comes up under the person's fingers. A key that is turned away
 * starts the time anew, so somebody who goes on typing answers nothing until they pause.
 */
export interface TypingGuard {
  /** Something new to answer is on the screen from now on. */
  raise(): void;
  /** A key went elsewhere. */
  noteKey(): void;
  /** Milliseconds until keys are taken; 0 when they are. */
  remainingMs(): number;
}

export function createTypingGuard(clock: Clock): TypingGuard {
  let since = Number.NEGATIVE_INFINITY;
  const restart = () => {
    since = clock.now();
  };
  return {
    raise: restart,
    noteKey: restart,
    remainingMs: () => Math.max(0, guardMs - (clock.now() - since)),
  };
}
