import { defineCommand } from './define-command.ts';

export const forkCommand = defineCommand({
  name: 'fork',
  summary: 'go on in a copy; this thread stays as it is',
  opensThread: true,
  args: '[pick or message]',
  choices: ['pick'],
  run(argument, context) {
    if (argument === '') return context.forkThread();
    if (argument === 'pick') return { kind: 'dialog', dialog: 'rewind' };
    return context.forkThread({ kind: 'message', messageId: argument });
  },
});
