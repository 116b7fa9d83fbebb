import type { ToolResult } from '#protocol/message.ts';
import { defineTool } from '#protocol/tool.ts';
import { gitCommands, gitFailure, runGit } from './git/git.ts';
import prose from './git-status.md';
import { looseInput } from './result/loose-input.ts';
import { count } from './result/words.ts';

const args = ['status', '--short', '--branch', '--ignore-submodules=dirty'];

export const gitStatus = defineTool<Record<string, never>>({
  name: 'git_status',
  prose,
  input: looseInput({}),
  effect: 'read',
  isDeferred: true,
  touches: (_input, { cwd }) => gitCommands(cwd, [args]),
  title: () => '',
  async run(_input, ctx): Promise<ToolResult> {
    const end = await runGit(args, ctx, { use: 'look' });
    const failure = gitFailure(end, 'git status');
    if (failure) return failure;
    const [branch = '', ...files] = end.stdout.trimEnd().split('\n');
    const text = files.length === 0 ? `${branch}\nNothing is changed.` : end.stdout.trimEnd();
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text }],
      view: {
        kind: 'table',
        columns: ['', branch.replace(/^## /, '')],
        rows: files.map((line) => [line.slice(0, 2), line.slice(3)]),
      },
      summary: files.length === 0 ? 'clean' : count(files.length, 'file'),
    };
  },
});
