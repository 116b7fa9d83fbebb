import { codeName } from '#lib/quote.ts';
import { defineCommand, warn } from './define-command.ts';

export const mouseCommand = defineCommand({
  name: 'mouse',
  summary: 'select and scroll with the mouse here, or leave it to the terminal',
  args: '[on|off]',
  choices: ['on', 'off'],
  async run(argument, context) {
    if (argument !== '' && argument !== 'on' && argument !== 'off')
      return warn(`\`/mouse\` takes \`on\`, \`off\` or nothing, not ${codeName(argument)}.`);
    const isOn = argument === '' ? (await context.mouse()) === 'off' : argument === 'on';
    const mouse = isOn ? 'on' : 'off';
    await context.saveMouse(mouse);
    return { kind: 'mouse', mouse };
  },
});
