import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import prose from './bash-kill.md';
import { looseInput } from './result/loose-input.ts';
import { noSuchShell, stateText } from './shell/shell-words.ts';

type Input = { shell_id: string };

export const bashKill = defineTool<Input>({
  name: 'bash_kill',
  aliases: ['KillShell', 'KillBash', 'TaskStop'],
  inputAliases: { bash_id: 'shell_id', task_id: 'shell_id', id: 'shell_id' },
  prose,
  input: looseInput({ shell_id: z.string() }),
  effect: 'none',
  touches: () => [],
  title: ({ shell_id }) => shell_id,
  async run({ shell_id }, { services: { shells } }) {
    const shell = await shells?.kill(shell_id, 'model');
    if (!shell) return noSuchShell(shell_id, shells);
    return { status: 'ok', forModel: [{ kind: 'text', text: stateText(shell) }], summary: shell.state };
  },
});
