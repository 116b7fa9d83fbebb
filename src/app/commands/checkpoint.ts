import { minuteText } from '#lib/iso-time.ts';
import { codeName } from '#lib/quote.ts';
import { defineCommand, inform, warn } from './define-command.ts';

export const checkpointCommand = defineCommand({
  name: 'checkpoint',
  summary: 'name this point of the thread, to go on from it later',
  opensThread: true,
  args: '[save|list|resume] [name]',
  choices: ['save', 'list', 'resume'],
  async run(argument, context) {
    const [verb = 'list', ...rest] = argument.split(/\s+/).filter((word) => word !== '');
    const name = rest.join(' ');
    const state = await context.state();
    const points = state.checkpoints ?? [];
    switch (verb) {
      case 'save':
        if (state.turnId !== null) return warn('Wait until the turn has ended, or stop it, and save then.');
        if (state.messages.length === 0) return warn('Nothing was said yet that one could come back to.');
        return {
          kind: 'action',
          action: { kind: 'save-checkpoint', name: name === '' ? `point ${points.length + 1}` : name },
        };
      case 'list':
        return inform(
          points.length === 0
            ? 'This thread has no named points. `/checkpoint save <name>` makes one.'
            : points.map((point) => `- ${codeName(point.name)}, ${minuteText(point.at)} UTC`).join('\n'),
        );
      case 'resume': {
        // The newest of a name counts.
        const point = points.findLast((each) => each.name.toLowerCase() === name.toLowerCase());
        if (!point)
          return warn(`This thread has no point ${codeName(name)}; \`/checkpoint list\` shows those it has.`);
        return context.forkThread({ kind: 'seq', seq: point.seq });
      }
      default:
        return warn('Usage: `/checkpoint save|list|resume [name]`.');
    }
  },
});
