import { defineCommand, inform, warn } from './define-command.ts';

export const hidaCommand = defineCommand({
  name: 'hida',
  summary: 'what the request was taken for, and which tools stand ready by that',
  args: '[on|off]',
  choices: ['on', 'off'],
  async run(argument, context) {
    if (argument === '') return inform(await context.hida());
    if (argument !== 'on' && argument !== 'off') return warn('Usage: `/hida`, `/hida on` or `/hida off`.');
    return inform(await context.setSetting('hida.enabled', argument === 'on' ? 'true' : 'false'));
  },
});
