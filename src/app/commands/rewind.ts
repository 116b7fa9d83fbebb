import { defineCommand } from './define-command.ts';

export const rewindCommand = defineCommand({
  name: 'rewind',
  summary: 'go back to before a message: files, conversation or both',
  run: () => ({ kind: 'dialog', dialog: 'rewind' }),
});
