import { codeName } from '#lib/quote.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import { defineCommand, inform, warn } from './define-command.ts';

export const tasksCommand = defineCommand({
  name: 'tasks',
  aliases: ['bashes'],
  summary: 'commands in the background',
  args: '[list|kill|keep id]',
  choices: ['list', 'kill', 'keep'],
  async run(argument, context) {
    const shells = (await context.state()).shells ?? [];
    const [verb, shellId, ...rest] = argument.split(/\s+/);
    if (argument === '') return { kind: 'dialog', dialog: 'tasks' };
    if (argument === 'list')
      return inform(
        shells.length === 0 ? 'No command runs in the background.' : shells.map(rowOf).join('\n'),
      );
    if ((verb !== 'kill' && verb !== 'keep') || shellId === undefined || rest.length > 0)
      return warn(
        'Usage: `/tasks`, `/tasks list`, `/tasks kill <id>` or `/tasks keep <id>`; a kept one goes on after llmcode.',
      );
    return { kind: 'action', action: { kind: 'shell-task', verb, shellId } };
  },
});

function rowOf({ id, command, state, exitCode, signal, startedAt, endedAt, tail, isKept }: BackgroundShell) {
  const seconds = Math.round(((endedAt ?? Date.now()) - startedAt) / 1_000);
  const how = state === 'exited' ? (signal ?? `exit ${exitCode}`) : state;
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return `- ${id} ${codeName(command)}: ${how}, ${seconds} s${isKept ? ', kept' : ''}${last === '' ? '' : `; ${codeName(last)}`}`;
}
