import { defineCommand } from './define-command.ts';

export const resumeCommand = defineCommand({
  name: 'resume',
  aliases: ['threads'],
  summary: 'go on with an earlier thread',
  args: '[id or name]',
  run: (argument, context) =>
    argument === '' ? { kind: 'dialog', dialog: 'threads' } : context.openThread(argument),
});
