import { globTest } from '#lib/glob-pattern.ts';
import { hookEvents } from './events/index.ts';

/** Events of the first llmcode that nothing fires yet, by group. */
const silentGroups: Readonly<Record<string, readonly string[]>> = {
  tool: ['tool_denied'],
  command: ['pre_command', 'post_command', 'command_error'],
  prompt: ['prompt_compile', 'prompt_cache_hit', 'prompt_cache_miss'],
  agent: ['agent_spawn', 'agent_complete', 'agent_error', 'agent_message'],
  session: ['session_save', 'session_compact', 'session_dream'],
  http: ['http_request', 'http_response', 'http_error', 'http_retry', 'http_fallback'],
};

const silentClaudeNames = [
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'ConfigChange',
  'FileChanged',
  'InstructionsLoaded',
  'UserPromptExpansion',
  'Elicitation',
  'ElicitationResult',
  'DirectoryAdded',
  'PostToolBatch',
  'MessageDisplay',
  'CwdChanged',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'WorktreeCreate',
  'WorktreeRemove',
];

const firing = hookEvents.flatMap(({ group, names }) => names.map((name) => ({ group, name })));
const silent = Object.entries(silentGroups).flatMap(([group, names]) =>
  names.map((name) => ({ group, name })),
);
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
  return silent.some(({ name, group }) => matches(name, group)) ? 'silent' : 'unknown';
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
