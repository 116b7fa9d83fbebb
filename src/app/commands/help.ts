import { nearestName } from '#lib/nearest.ts';
import { codeName } from '#lib/quote.ts';
import { defineCommand, inform, warn } from './define-command.ts';

export const helpCommand = defineCommand({
  name: 'help',
  aliases: ['?'],
  summary: 'keys and commands',
  args: '[command]',
  run(argument, { commands }) {
    if (argument === '') return { kind: 'dialog', dialog: 'help' };
    const name = argument.replace(/^\//, '');
    const command = commands.find((each) => each.name === name || each.aliases.includes(name));
    if (!command) {
      const near = nearestName(
        name,
        commands.map((each) => each.name),
      );
      return warn(
        `There is no command ${codeName(`/${name}`)}${near ? `; did you mean \`/${near}\`?` : '; `/help` lists them.'}`,
      );
    }
    const others = command.aliases.map((alias) => `\`/${alias}\``).join(', ');
    const usage = `\`/${command.name}${command.args ? ` ${command.args}` : ''}\`: ${command.summary}`;
    return inform(`${usage}${others ? ` (also ${others})` : ''}`);
  },
});
