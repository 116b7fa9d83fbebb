import { defineCommand } from './define-command.ts';

export const compactCommand = defineCommand({
  name: 'compact',
  summary: 'summarise the conversation so far for the model, or take that back',
  args: '[what to keep | undo]',
  choices: ['undo'],
  run: (argument) => ({
    kind: 'action',
    action:
      argument.toLowerCase() === 'undo'
        ? { kind: 'undo-compaction' }
        : { kind: 'compact', ...(argument === '' ? {} : { focus: argument }) },
  }),
});
