import { codeName } from '#lib/quote.ts';
import { keyProblemText, keysText } from '../keys-text.ts';
import { defineCommand, inform, warn } from './define-command.ts';

export const keysCommand = defineCommand({
  name: 'keys',
  aliases: ['keybindings'],
  summary: 'what each key does, and which file says so',
  args: '[reload]',
  choices: ['reload'],
  run(argument, { keyFiles }) {
    if (argument === '') return inform(keysText(keyFiles.current(), keyFiles.files.at(-1) ?? ''));
    if (argument !== 'reload')
      return warn(`\`/keys\` takes \`reload\` or nothing, not ${codeName(argument)}.`);
    const keys = keyFiles.reload();
    const problems = keyProblemText(keys);
    const notice =
      problems === ''
        ? { level: 'info' as const, text: 'Keys were read again.' }
        : { level: 'warning' as const, text: problems };
    return { kind: 'keys', keys, notice };
  },
});
