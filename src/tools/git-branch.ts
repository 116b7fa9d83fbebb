import { z } from 'zod';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { gitCommands, gitFailure, gitSaid, isPlainName, runGit } from './git/git.ts';
import prose from './git-branch.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';

const actions = ['list', 'create', 'switch', 'delete'] as const;
type Input = { action: (typeof actions)[number]; name?: string | undefined };

export const gitBranch = defineTool<Input>({
  name: 'git_branch',
  inputAliases: { branch: 'name' },
  prose,
  input: looseInput({
    action: z.enum(actions),
    name: z.string().refine(isPlainName, 'is no name of a branch').optional(),
  }),
  effect: 'exec',
  isDeferred: true,
  touches: (input, { cwd }) => gitCommands(cwd, [argsOf(input)]),
  title: ({ action, name }) => `${action} ${name ?? ''}`.trim(),
  async run(input, ctx) {
    if (input.action !== 'list' && !input.name)
      return toolError('invalid_argument', `name is missing: which branch is to be ${verbs[input.action]}?`);
    const end = await runGit(argsOf(input), ctx, { use: input.action === 'list' ? 'look' : 'act' });
    const failure = gitFailure(end, `git ${argsOf(input)[0]}`);
    if (failure) return failure;
    const said = gitSaid(end.stdout, end.stderr);
    const text =
      input.action === 'list'
        ? said || 'There is no branch yet: nothing was committed here.'
        : `${said || `The branch ${input.name} is ${verbs[input.action]}.`}\n${await whereNow(input, ctx)}`;
    return { status: 'ok', forModel: [{ kind: 'text', text }], view: { kind: 'text', text } };
  },
});

/** A model that made a branch often thinks that it is on it. */
async function whereNow({ action, name }: Input, ctx: ToolContext): Promise<string> {
  const end = await runGit(['branch', '--show-current'], ctx, { use: 'look' });
  const branch = end.stdout.trim();
  if (gitFailure(end, 'git branch') || branch === '') return 'No branch is checked out now (detached HEAD).';
  const isOther = action === 'create' && branch !== name;
  return `The branch now is ${branch}${isOther ? `; ${name} was made and not switched to.` : '.'}`;
}

const verbs = { create: 'made', switch: 'changed to', delete: 'deleted' };

function argsOf({ action, name = '' }: Input): string[] {
  switch (action) {
    case 'list':
      return ['branch', '--list', '-vv'];
    case 'create':
      return ['branch', name];
    case 'switch':
      return ['switch', name];
    case 'delete':
      return ['branch', '-d', name];
  }
}
