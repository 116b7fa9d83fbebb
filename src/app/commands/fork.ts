import { defineCommand } from './define-command.ts';

export const forkCommand = defineCommand({
  name: 'fork',
  summary: 'go on in a copy; this thread stays as it is',
  run: (_argument, context) => context.forkThread(),
});
