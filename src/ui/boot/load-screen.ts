import { setImmediate } from 'node:timers/promises';

/** The heaviest below the screen, each a chunk of its own. */
const steps: readonly (() => Promise<unknown>)[] = [
  () => import('react'),
  () => import('../markdown/lex.ts'),
  () => import('ink'),
];

/** Loads the libraries of the screen piece by piece, so that keys show between two pieces. */
export async function loadScreenInSteps(): Promise<void> {
  for (const step of steps) {
    // Two turns: one in which the keys are read, one in which they are drawn.
    await setImmediate();
    await setImmediate();
    await step();
  }
}
