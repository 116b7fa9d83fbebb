import { defineCommand, inform } from './define-command.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'what llmcode finds on this machine, and what is wrong with it',
  run: async (_argument, context) => inform(await context.doctor()),
});
