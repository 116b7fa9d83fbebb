import { defineCommand } from './define-command.ts';

export const clearCommand = defineCommand({
  name: 'clear',
  aliases: ['new'],
  summary: 'begin a new thread; this one is kept and can be resumed',
  run: (_argument, context) => context.newThread(),
});
