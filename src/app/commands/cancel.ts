import { defineCommand } from './define-command.ts';

export const cancelCommand = defineCommand({
  name: 'cancel',
  aliases: ['stop'],
  summary: 'stop what runs, as Esc does',
  run: () => ({ kind: 'action', action: { kind: 'interrupt' } }),
});
