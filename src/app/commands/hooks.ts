import { defineCommand, inform } from './define-command.ts';

export const hooksCommand = defineCommand({
  name: 'hooks',
  summary: 'the hooks of the settings and their last runs',
  async run(_argument, context) {
    const [{ hooks, runs }, { hooksText }] = await Promise.all([context.hooks(), import('../hooks-text.ts')]);
    return inform(hooksText({ hooks, runs, cwd: context.cwd }));
  },
});
