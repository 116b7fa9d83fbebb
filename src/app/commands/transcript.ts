import { defineCommand, inform } from './define-command.ts';

export const transcriptCommand = defineCommand({
  name: 'transcript',
  summary: 'this conversation in your pager, or into a file',
  args: '[file]',
  async run(argument, context) {
    if (argument === '') return { kind: 'page', text: await context.transcript() };
    return inform(await context.saveTranscript(argument));
  },
});
