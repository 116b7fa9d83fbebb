import { defineCommand } from './define-command.ts';

export const modelCommand = defineCommand({
  name: 'model',
  summary: 'use another model; the conversation stays',
  args: '[model[#effort]]',
  async run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'model' };
    return context.chooseModel(await context.resolveModel(argument));
  },
});
