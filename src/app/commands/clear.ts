import { defineCommand } from './define-command.ts';

export const clearCommand = defineCommand({
  name: 'clear',
  aliases: ['new'],
  summary: 'begin a new thread; /resume finds this one',
  opensThread: true,
  run: (_argument, context) => context.newThread(),
});
