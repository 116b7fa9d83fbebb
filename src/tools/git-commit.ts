import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { toolPath } from './files/tool-path.ts';
import { gitCommands, gitFailure, gitSaid, runGit } from './git/git.ts';
import { secretRefusal } from './git/secret-check.ts';
import prose from './git-commit.md';
import { looseInput } from './result/loose-input.ts';
import { oneLine } from './result/words.ts';

type Input = { message: string; files?: string[] | undefined };

export const gitCommit = defineTool<Input>({
  name: 'git_commit',
  inputAliases: { msg: 'message', paths: 'files' },
  prose,
  input: looseInput({
    message: z
      .string()
      .refine((text) => text.trim() !== '', 'is empty')
      .refine((text) => !text.includes('\0'), 'holds a NUL character'),
    files: z.array(toolPath).optional(),
  }),
  effect: 'exec',
  isDeferred: true,
  touches: ({ message, files = [] }, { cwd }) =>
    gitCommands(cwd, [
      ['add', ...(files.length > 0 ? ['--', ...files] : ['-A'])],
      commitArgs(message, files),
    ]),
  title: ({ message }) => oneLine(message.split('\n', 1)[0] ?? ''),
  async run({ message, files = [] }, ctx) {
    const add = await addArgs(files, ctx);
    if (add && 'status' in add) return add;
    const refusal = await secretRefusal({ add, files }, ctx);
    if (refusal) return refusal;
    if (add) {
      const failure = gitFailure(await runGit(add, ctx, { use: 'stage' }), 'git add');
      if (failure) return failure;
    }
    const end = await runGit(commitArgs(message, files), ctx, { use: 'act' });
    const failure = gitFailure(end, 'git commit');
    if (failure) return failure;
    const text = gitSaid(end.stdout, end.stderr);
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text }],
      view: { kind: 'text', text },
      summary: /^\[([^\]]+)\]/m.exec(text)?.[1] ?? 'committed',
    };
  },
});

/** With files only they are committed, whatever else the person has staged. */
function commitArgs(message: string, files: readonly string[]): string[] {
  return ['commit', '-m', message, ...(files.length > 0 ? ['--only', '--', ...files] : [])];
}

/** undefined = something is staged already, and that is what is meant. */
async function addArgs(
  files: readonly string[],
  ctx: ToolContext,
): Promise<string[] | ToolResult | undefined> {
  if (files.length > 0) return ['add', '--', ...files];
  const staged = await runGit(['diff', '--cached', '--quiet', '--no-ext-diff'], ctx, { use: 'look' });
  if (staged.cause === 'exited' && staged.exitCode === 1) return undefined;
  return gitFailure(staged, 'git diff') ?? ['add', '-A'];
}
