import { defineCommand } from './define-command.ts';

export const exitCommand = defineCommand({
  name: 'exit',
  aliases: ['quit', 'q'],
  summary: 'leave; the thread is kept',
  run: () => ({ kind: 'exit' }),
});
