import { codeName } from '#lib/quote.ts';
import { defineCommand, inform, warn } from './define-command.ts';

const modes: readonly string[] = ['off', 'auto', 'required'];

export const sandboxCommand = defineCommand({
  name: 'sandbox',
  args: '[off|auto|required]',
  choices: modes,
  summary: 'what commands of the model are held in; off, auto or required changes it',
  async run(argument, context) {
    if (argument === '') return inform(await context.sandbox());
    if (!modes.includes(argument))
      return warn(`There is no sandbox ${codeName(argument)}. Known: ${modes.join(', ')}.`);
    const said = await context.setSandbox(argument);
    return inform(`${said}\n\n${await context.sandbox()}`);
  },
});
