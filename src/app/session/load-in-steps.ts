import { setImmediate } from 'node:timers/promises';

/** The heaviest below a session's work. Each is a chunk of its own, which headless runs load too: so no more of them. */
const steps: readonly (() => Promise<unknown>)[] = [
  () => import('#protocol/event.ts'),
  () => import('#permissions/gate.ts'),
];

/** Loads the heavy part of a session piece by piece, so that keys get through between two pieces. */
export async function loadSessionWork(): Promise<typeof import('./session-work.ts')> {
  for (const step of steps) {
    await step();
    await setImmediate();
  }
  return import('./session-work.ts');
}
