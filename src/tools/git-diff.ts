import { z } from 'zod';
import { plainDiff } from '#lib/look-with-git.ts';
import { defineTool } from '#protocol/tool.ts';
import { gitCommands, gitFailure, isPlainName, runGit } from './git/git.ts';
import prose from './git-diff.md';
import { looseInput } from './result/loose-input.ts';
import { count } from './result/words.ts';

type Input = { path?: string | undefined; staged?: boolean | undefined; commit?: string | undefined };

/** Of what the screen shows; the model gets all. */
const maxViewChars = 20_000;

export const gitDiff = defineTool<Input>({
  name: 'git_diff',
  inputAliases: { cached: 'staged', file: 'path', file_path: 'path', ref: 'commit' },
  prose,
  input: looseInput({
    path: z.string().optional(),
    staged: z.boolean().optional(),
    commit: z.string().refine(isPlainName, 'is no name of a commit').optional(),
  }),
  effect: 'read',
  isDeferred: true,
  touches: (input, { cwd }) => gitCommands(cwd, [argsOf(input)]),
  title: ({ path, staged, commit }) =>
    [...(staged ? ['staged'] : []), ...(commit ? [commit] : []), ...(path ? [path] : [])].join(' '),
  async run(input, ctx) {
    const end = await runGit(argsOf(input), ctx, { use: 'look' });
    const failure = gitFailure(end, 'git diff');
    if (failure) return failure;
    const text = end.stdout.trimEnd();
    const files = text.match(/^diff --git /gm)?.length ?? 0;
    if (text === '') {
      const advice = input.staged ? '' : ' New files are not part of it; see git_status.';
      return {
        status: 'ok',
        forModel: [{ kind: 'text', text: `No changes.${advice}` }],
        summary: 'no changes',
      };
    }
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
    const fence = '`'.repeat(longest + 1);
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text }],
      view: { kind: 'markdown', text: `${fence}diff\n${text.slice(0, maxViewChars)}\n${fence}` },
      summary: count(files, 'file'),
    };
  },
});

function argsOf({ path, staged, commit }: Input): string[] {
  return [
    'diff',
    ...plainDiff,
    ...(staged ? ['--cached'] : []),
    ...(commit ? [commit] : []),
    ...(path ? ['--', path] : []),
  ];
}
