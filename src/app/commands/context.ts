import { defineCommand, inform } from './define-command.ts';

export const contextCommand = defineCommand({
  name: 'context',
  summary: "what fills the model's window",
  async run(_argument, context) {
    const [state, { contextText }] = await Promise.all([context.state(), import('../context-text.ts')]);
    return inform(contextText(state));
  },
});
