import { defineCommand } from './define-command.ts';

export const resumeCommand = defineCommand({
  name: 'resume',
  aliases: ['threads'],
  summary: 'go on with an earlier thread, or search in all of them',
  opensThread: true,
  args: '[id, name or search words]',
  run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'threads' };
    const [, words] = /^search(?:\s+(.+))?$/s.exec(argument) ?? [argument, null];
    if (words === null) return context.openThread(argument);
    return { kind: 'dialog', dialog: 'threads', ...(words === undefined ? {} : { filter: words }) };
  },
});
