import { defineCommand } from './define-command.ts';

export const searchCommand = defineCommand({
  name: 'search',
  summary: 'find words in this conversation',
  args: '[words]',
  async run(argument) {
    return { kind: 'search', words: argument };
  },
});
