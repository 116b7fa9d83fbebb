import { codeName } from '#lib/quote.ts';
import { defineCommand, warn } from './define-command.ts';

export const undoCommand = defineCommand({
  name: 'undo',
  summary: 'take back what the last prompt changed in files',
  args: '[how many prompts] [--force]',
  run(argument) {
    const { rest, isForced } = withoutForce(argument);
    const prompts = rest === '' ? 1 : Number(rest);
    if (!Number.isInteger(prompts) || prompts < 1)
      return warn(`\`/undo\` takes how many prompts to go back, e.g. \`/undo 2\`, not ${codeName(rest)}.`);
    return {
      kind: 'action',
      action: { kind: 'undo-changes', prompts, edited: isForced ? 'overwrite' : 'keep' },
    };
  },
});

export const redoCommand = defineCommand({
  name: 'redo',
  summary: 'bring back the changes that were last taken back',
  args: '[--force]',
  run(argument) {
    const { rest, isForced } = withoutForce(argument);
    if (rest !== '') return warn(`\`/redo\` takes only \`--force\`, not ${codeName(rest)}.`);
    return { kind: 'action', action: { kind: 'redo-changes', edited: isForced ? 'overwrite' : 'keep' } };
  },
});

/** `--force` also overwrites files that somebody else changed meanwhile. */
function withoutForce(argument: string): { rest: string; isForced: boolean } {
  const words = argument.split(/\s+/).filter((word) => word !== '');
  const rest = words.filter((word) => word !== '--force');
  return { rest: rest.join(' '), isForced: rest.length < words.length };
}
