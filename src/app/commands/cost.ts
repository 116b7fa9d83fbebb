import { costReport } from '../cost-report.ts';
import { defineCommand, inform } from './define-command.ts';

export const costCommand = defineCommand({
  name: 'cost',
  aliases: ['usage'],
  summary: 'tokens and money by turn, model and thread, and what the cache saved',
  async run(_argument, context) {
    const state = await context.state();
    if (state.totals.steps === 0 && !state.totals.peers)
      return inform('No model call was made in this thread yet.');
    return inform(costReport(state, await context.spentToday()));
  },
});
