import { setImmediate } from 'node:timers/promises';

/** Everything below a session's work, the lowest first: each step finds what it stands on already there. */
const steps: readonly (() => Promise<unknown>)[] = [
  () => import('#protocol/event.ts'),
  () => import('../settings/schema.ts'),
  () => import('#permissions/gate.ts'),
  () => import('#engine/open-thread.ts'),
  () => import('#providers/directory.ts'),
];

/** Loads the heavy part of a session piece by piece, so that keys get through between two pieces. */
export async function loadSessionWork(): Promise<typeof import('./session-work.ts')> {
  for (const step of steps) {
    await step();
    await setImmediate();
  }
  return import('./session-work.ts');
}
