import { globTest } from '#lib/glob-pattern.ts';
import { hookEvents } from './events/index.ts';

/** Events that hooks may name and that belong to what does not exist here yet, with the fields they will bring. */
export const silentEvents: readonly { group: string; name: string; fields: readonly string[] }[] = [
  { group: 'session', name: 'session_dream', fields: ['memories', 'summary'] },
];

export const silentClaudeNames: readonly string[] = [
  'Setup',
  'FileChanged',
  'UserPromptExpansion',
  'Elicitation',
  'ElicitationResult',
  'DirectoryAdded',
  'MessageDisplay',
  'CwdChanged',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'WorktreeCreate',
  'WorktreeRemove',
];

const firing = hookEvents.flatMap(({ group, names }) => names.map((name) => ({ group, name })));
const claudeNames = hookEvents.flatMap(({ claudeNames }) => claudeNames);

type Standing = 'fires' | 'silent' | 'unknown';

/** True when a pattern of the list form means an event: `tool_before`, `tool.before`, `session.*`, `*`. */
export function eventTest(pattern: string): (name: string, group: string) => boolean {
  const matches = globTest(plain(pattern));
  return (name, group) => matches(name) || matches(`${group}_${name}`);
}

export function standingOfPattern(pattern: string): Standing {
  const matches = eventTest(pattern);
  if (firing.some(({ name, group }) => matches(name, group))) return 'fires';
  return silentEvents.some(({ name, group }) => matches(name, group)) ? 'silent' : 'unknown';
}

export function standingOfClaudeName(name: string): Standing {
  if (claudeNames.includes(name)) return 'fires';
  return silentClaudeNames.includes(name) ? 'silent' : 'unknown';
}

/** The events of the list form that happen, for messages. */
export function firingNames(): string {
  return firing.map(({ name }) => name).join(', ');
}

/** The events of Claude's form that happen, for messages. */
export function firingClaudeNames(): string {
  return claudeNames.join(', ');
}

/** A dot and a dash mean the same as the underscore. */
function plain(pattern: string): string {
  return pattern.replaceAll(/[.-]/g, '_');
}
