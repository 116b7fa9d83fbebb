import { codeName } from '#lib/quote.ts';
import { defineCommand, warn } from './define-command.ts';

export const vimCommand = defineCommand({
  name: 'vim',
  summary: 'edit the prompt as in Vim, or no longer',
  args: '[on|off]',
  choices: ['on', 'off'],
  async run(argument, context) {
    if (argument !== '' && argument !== 'on' && argument !== 'off')
      return warn(`\`/vim\` takes \`on\`, \`off\` or nothing, not ${codeName(argument)}.`);
    const isOn = argument === '' ? (await context.editorMode()) !== 'vim' : argument === 'on';
    const mode = isOn ? 'vim' : 'emacs';
    await context.saveEditorMode(mode);
    return { kind: 'editor-mode', mode };
  },
});
