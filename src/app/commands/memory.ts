import { defineCommand, inform, warn } from './define-command.ts';

const usage =
  'Usage: `/memory`, `/memory add [user|feedback|project|reference] <text>`, `/memory get <id or words>`, ' +
  '`/memory set <id> <text>`, `/memory delete <id>`, `/memory undo`, `/memory lint`, `/memory history [number]`, ' +
  '`/memory consolidate`.';

export const memoryCommand = defineCommand({
  name: 'memory',
  summary: 'what is remembered of this project and which instructions are loaded; add, change, take back',
  args: '[add|get|set|delete|undo|lint|history|consolidate …]',
  choices: ['add', 'get', 'set', 'delete', 'undo', 'lint', 'history', 'consolidate'],
  async run(argument, { memory, state }) {
    if (argument === '' || argument === 'list') return inform(await memory.overview());
    const [verb = '', rest = ''] = parts(argument);
    const isBare = rest === '';
    switch (verb) {
      case 'add':
        return isBare ? warn(usage) : inform(await memory.add(rest));
      case 'get':
        return isBare ? warn(usage) : inform(await memory.get(rest));
      case 'set': {
        const [id = '', text = ''] = parts(rest);
        return text === '' ? warn(usage) : inform(await memory.set(id, text));
      }
      case 'delete':
      case 'forget':
        return isBare ? warn(usage) : inform(await memory.delete(rest));
      case 'undo':
        return isBare ? inform(await memory.undo()) : warn(usage);
      case 'lint':
        return isBare ? inform(await memory.lint()) : warn(usage);
      case 'history': {
        const count = isBare ? 5 : Number(rest);
        return Number.isInteger(count) && count > 0 ? inform(await memory.history(count)) : warn(usage);
      }
      case 'consolidate':
        return isBare ? inform(await memory.consolidate((await state()).threadId)) : warn(usage);
      default:
        return warn(usage);
    }
  },
});

/** The first word, and what follows it. */
function parts(text: string): string[] {
  return (/^(\S+)\s*([\s\S]*)$/.exec(text)?.slice(1) ?? []).map((part) => part.trim());
}
