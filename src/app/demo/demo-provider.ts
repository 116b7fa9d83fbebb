import type { Clock } from '#lib/clock.ts';
import type { ExtraProvider } from '#providers/directory.ts';
import { createDemoModel, demoChoice, demoModelRef, type Pace } from './model.ts';

/** The demo as a provider beside the real ones. */
export function createDemoProvider(options: { clock: Clock; pace: Pace }): ExtraProvider {
  return { id: demoModelRef.provider, open: () => createDemoModel(options), choices: [demoChoice] };
}
