import { standingOfClaudeName, standingOfPattern } from './event-names.ts';
import type { HookSource } from './settings.ts';

/** Keys of Claude's form that change what a hook does and have no effect here. */
const keysWithoutEffect = ['asyncRewake', 'shell'];

/** What of the settings has no effect, in one text for the person; undefined when there is nothing to say. */
export function unusedParts(sources: readonly HookSource[]): string | undefined {
  const events = sources.flatMap(({ hooks }) =>
    Array.isArray(hooks)
      ? hooks.map(({ event }) => event).filter((pattern) => standingOfPattern(pattern) === 'silent')
      : Object.keys(hooks).filter((name) => standingOfClaudeName(name) === 'silent'),
  );
  const entries = sources.flatMap(({ hooks }) =>
    Array.isArray(hooks)
      ? []
      : Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks)),
  );
  const keys = keysWithoutEffect.filter((key) => entries.some((entry) => isSet(entry[key])));
  const sentences = [
    ...(events.length > 0 ? [`these events do not happen yet: ${[...new Set(events)].join(', ')}`] : []),
    ...(keys.length > 0 ? [`these keys of hooks are not heeded: ${keys.join(', ')}`] : []),
  ];
  return sentences.length > 0 ? `Of the hooks in the settings, ${sentences.join('; ')}.` : undefined;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '' && value !== 'bash';
}
