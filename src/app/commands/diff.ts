import { codeName } from '#lib/quote.ts';
import { diffText } from '#protocol/diff-text.ts';
import { defineCommand, inform, warn } from './define-command.ts';

const maxLines = 400;

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'what changed: in the working folder, or by this thread',
  args: '[thread | since <prompts>]',
  choices: ['thread', 'since'],
  async run(argument, context) {
    const prompts = promptsOf(argument);
    if (prompts === undefined)
      return warn(
        `\`/diff\` takes \`thread\`, or \`since\` and how many prompts to look back, not ${codeName(argument)}.`,
      );
    const working = argument === '' ? await context.workingDiff() : null;
    if (working !== null)
      return inform(working.trim() === '' ? 'The working folder has no changes.' : fence(working));
    const { views, others } = await context.threadDiff(prompts);
    if (views.length + others.length === 0) return inform('Nothing was changed in this thread.');
    const blocks = [
      ...(views.length > 0 ? [fence(views.map(diffText).join('\n'))] : []),
      ...others.map((line) => `- ${codeName(line)}`),
    ];
    return inform(blocks.join('\n'));
  },
});

/** How many prompts back; undefined when it cannot be understood. */
function promptsOf(argument: string): number | undefined {
  if (argument === '' || argument === 'thread') return Number.POSITIVE_INFINITY;
  const count = /^(?:--)?since\s+(\d+)$/.exec(argument)?.[1];
  return count === undefined || Number(count) === 0 ? undefined : Number(count);
}

function fence(diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const shown = lines.slice(0, maxLines).join('\n');
  const ticks = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const rest = lines.length - maxLines;
  const cut = rest > 0 ? `\n\n${rest} more lines are not shown; \`git diff\` has them.` : '';
  return `${ticks}diff\n${shown}\n${ticks}${cut}`;
}
