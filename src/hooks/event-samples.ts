import type { HookEvent } from '#protocol/hook.ts';
import { eventTest } from './event-names.ts';
import { hookEvents } from './events/index.ts';

/** Every name that an event goes by. */
export const sampleNames: readonly string[] = hookEvents.flatMap(({ names, claudeNames }) => [
  ...names,
  ...claudeNames,
]);

/** Occurrences that go by this name or pattern, in either dialect. */
export function eventSamples(name: string): HookEvent[] {
  const isWanted = eventTest(name);
  return hookEvents.flatMap((def) => {
    const own = def.names.filter((each) => isWanted(each, def.group));
    const names = [...own, ...def.claudeNames.filter((each) => each === name)];
    return def.samples.filter((sample) => names.some((each) => def.isAbout(sample, each)));
  });
}
