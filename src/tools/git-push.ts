import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { gitCommands, gitFailure, gitSaid, isPlainName, runGit } from './git/git.ts';
import prose from './git-push.md';
import { looseInput } from './result/loose-input.ts';

type Input = { remote?: string | undefined; branch?: string | undefined };

const name = z.string().refine(isPlainName, 'is no plain name');

export const gitPush = defineTool<Input>({
  name: 'git_push',
  prose,
  input: looseInput({ remote: name.optional(), branch: name.optional() }),
  effect: 'exec',
  isDeferred: true,
  touches: (input, { cwd }) => gitCommands(cwd, [argsOf(input)]),
  title: ({ remote = 'origin', branch }) => (branch ? `${remote} ${branch}` : remote),
  async run(input, ctx) {
    const end = await runGit(argsOf(input), ctx, { use: 'act' });
    const failure = gitFailure(end, 'git push');
    if (failure) return failure;
    // git tells what it sent on its error stream.
    const text = gitSaid(end.stderr, end.stdout);
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text }],
      view: { kind: 'text', text },
      summary: 'pushed',
    };
  },
});

function argsOf({ remote = 'origin', branch = 'HEAD' }: Input): string[] {
  return ['push', '-u', remote, branch];
}
