import { defineCommand, inform, warn } from './define-command.ts';

export const configCommand = defineCommand({
  name: 'config',
  aliases: ['settings'],
  summary: 'settings and where each came from',
  args: '[get|set key …]',
  choices: ['get', 'set'],
  async run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'config' };
    const [verb, key, ...rest] = argument.split(/\s+/);
    if (verb === 'get' && key !== undefined && rest.length === 0)
      return inform(await context.getSetting(key));
    if (verb === 'set' && key !== undefined && rest.length > 0)
      return inform(await context.setSetting(key, rest.join(' ')));
    return warn('Usage: `/config`, `/config get <key>` or `/config set <key> <value>`.');
  },
});
