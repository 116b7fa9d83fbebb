import { formatCount, formatUsd } from '#lib/amounts.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { defineCommand, inform } from './define-command.ts';

export const costCommand = defineCommand({
  name: 'cost',
  aliases: ['usage'],
  summary: 'tokens and money of this thread',
  async run(_argument, context) {
    const { totals, contextTokens, contextWindow, model } = await context.state();
    if (totals.steps === 0) return inform('No model call was made in this thread yet.');
    const cost = totals.unpriced
      ? `${formatUsd(totals.costUsd)} and calls whose price is not known`
      : formatUsd(totals.costUsd);
    const rows = [
      ['model calls', formatCount(totals.steps)],
      ['input', `${formatCount(totals.input)} tokens`],
      ['of these from the cache', `${formatCount(totals.cacheRead)} tokens`],
      ['output', `${formatCount(totals.output)} tokens`],
      ['cost', cost],
    ];
    if (contextTokens !== null && contextWindow !== null && contextWindow > 0) {
      const share = Math.round((contextTokens / contextWindow) * 100);
      rows.push(['context', `${formatCount(contextTokens)} of ${formatCount(contextWindow)} (${share} %)`]);
    }
    if (model) rows.push(['model', formatModelRef(model)]);
    // Two blanks at the end of a line keep it a line of its own.
    return inform(rows.map(([name, value]) => `${name}: ${value}`).join('  \n'));
  },
});
