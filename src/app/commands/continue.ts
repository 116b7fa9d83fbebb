import { defineCommand } from './define-command.ts';

export const continueCommand = defineCommand({
  name: 'continue',
  summary: 'go on after a limit, an error or an interrupt',
  run: () => ({ kind: 'action', action: { kind: 'continue' } }),
});
