import { defineCommand, warn } from './define-command.ts';

export const renameCommand = defineCommand({
  name: 'rename',
  summary: 'give this thread a name to resume it by',
  args: '<name>',
  run: (argument) =>
    argument === ''
      ? warn('Usage: `/rename <name>`.')
      : { kind: 'action', action: { kind: 'rename', name: argument } },
});
