import { defineCommand } from './define-command.ts';

export const renameCommand = defineCommand({
  name: 'rename',
  summary: 'give this thread a name to resume it by; without one a model finds it',
  args: '[name]',
  async run(argument, context) {
    const name = argument === '' ? await context.askTitle() : argument;
    return { kind: 'action', action: { kind: 'rename', name } };
  },
});
