import { nearestName } from '#lib/nearest.ts';
import { codeName } from '#lib/quote.ts';
import { parsePermissionMode, permissionModeNames, permissionModes } from '#protocol/permission-mode.ts';
import { defineCommand, warn } from './define-command.ts';

export const modeCommand = defineCommand({
  name: 'mode',
  summary: 'what may be done without asking',
  args: '[mode]',
  choices: permissionModes,
  async run(argument, context) {
    if (argument === '') return { kind: 'dialog', dialog: 'mode' };
    const [name = '', ...rest] = argument.split(/\s+/);
    const mode = parsePermissionMode(name);
    if (!mode || (mode !== 'full_access' && rest.length > 0)) {
      const near = nearestName(name, permissionModeNames);
      return warn(
        `There is no mode ${codeName(argument)}${near ? `; did you mean \`${near}\`?` : `. Known: ${permissionModes.join(', ')}.`}`,
      );
    }
    if (mode === 'full_access') {
      const isConfirmed = rest.join(' ').replaceAll('-', ' ').trim() === 'i know';
      if (!(await context.confirmFullAccess({ isConfirmed })))
        return warn(
          'full_access runs everything without asking, also outside of this folder. Type `/mode full_access i know` if you want that.',
        );
    }
    return { kind: 'action', action: { kind: 'set-mode', mode } };
  },
});
