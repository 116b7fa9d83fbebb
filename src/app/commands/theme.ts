import { nearestName } from '#lib/nearest.ts';
import { codeName } from '#lib/quote.ts';
import { defineCommand, warn } from './define-command.ts';

export const themeCommand = defineCommand({
  name: 'theme',
  summary: 'colours',
  args: '[theme]',
  async run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'theme' };
    if (!context.themeIds.includes(argument)) {
      const near = nearestName(argument, context.themeIds);
      const known = `Known: ${context.themeIds.join(', ')}.`;
      return warn(
        `There is no theme ${codeName(argument)}${near ? `; did you mean \`${near}\`?` : `. ${known}`}`,
      );
    }
    await context.saveTheme(argument);
    return { kind: 'theme', theme: argument };
  },
});
