import { defineCommand, inform } from './define-command.ts';

export const trustCommand = defineCommand({
  name: 'trust',
  summary: "let this project's own configuration take effect",
  run: async (_argument, context) => inform(await context.trustProject()),
});
