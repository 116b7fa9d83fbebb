import { defineCommand } from './define-command.ts';

export const modelCommand = defineCommand({
  name: 'model',
  summary: 'use another model; the conversation stays',
  args: '[model[#effort]]',
  async run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'model' };
    const model = await context.resolveModel(argument);
    const preflight = await context.preflight(model);
    return preflight.isWorthAsking ? { kind: 'preflight', preflight } : context.chooseModel(model);
  },
});
