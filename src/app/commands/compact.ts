import { defineCommand } from './define-command.ts';

export const compactCommand = defineCommand({
  name: 'compact',
  summary: 'summarise the conversation so far for the model',
  args: '[what to keep]',
  run: (argument) => ({
    kind: 'action',
    action: { kind: 'compact', ...(argument === '' ? {} : { focus: argument }) },
  }),
});
