import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { gitCommands, gitFailure, runGit } from './git/git.ts';
import prose from './git-stash.md';
import { looseInput } from './result/loose-input.ts';
import { oneLine } from './result/words.ts';

const actions = ['push', 'pop', 'list'] as const;
type Input = { action: (typeof actions)[number]; message?: string | undefined };

export const gitStash = defineTool<Input>({
  name: 'git_stash',
  prose,
  input: looseInput({ action: z.enum(actions), message: z.string().optional() }),
  effect: 'exec',
  isDeferred: true,
  touches: (input, { cwd }) => gitCommands(cwd, [argsOf(input)]),
  title: ({ action, message }) => oneLine(`${action} ${message ?? ''}`),
  async run(input, ctx) {
    const end = await runGit(argsOf(input), ctx, { use: input.action === 'list' ? 'look' : 'act' });
    const failure = gitFailure(end, `git stash ${input.action}`);
    if (failure) return failure;
    const text = end.stdout.trim() || 'No stash.';
    return { status: 'ok', forModel: [{ kind: 'text', text }], view: { kind: 'text', text } };
  },
});

function argsOf({ action, message }: Input): string[] {
  if (action !== 'push') return ['stash', action];
  return ['stash', 'push', '--include-untracked', ...(message ? ['-m', message] : [])];
}
