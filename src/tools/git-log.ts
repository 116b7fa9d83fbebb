import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { gitCommands, gitFailure, runGit } from './git/git.ts';
import prose from './git-log.md';
import { looseInput } from './result/loose-input.ts';
import { count } from './result/words.ts';

type Input = { limit?: number | undefined; path?: string | undefined };

const defaultLimit = 10;
const maxLimit = 500;

export const gitLog = defineTool<Input>({
  name: 'git_log',
  inputAliases: { n: 'limit', count: 'limit', max_count: 'limit', file: 'path', file_path: 'path' },
  prose,
  input: looseInput({ limit: z.number().optional(), path: z.string().optional() }),
  effect: 'read',
  isDeferred: true,
  touches: (input, { cwd }) => gitCommands(cwd, [argsOf(input)]),
  title: ({ path }) => path ?? '',
  async run(input, ctx) {
    const end = await runGit(argsOf(input), ctx, { use: 'look' });
    const failure = gitFailure(end, 'git log');
    if (failure) return failure;
    const text = end.stdout.trimEnd();
    const rows = text === '' ? [] : text.split('\n').map((line) => line.split('\t'));
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text: text === '' ? 'No commits.' : text }],
      view: { kind: 'table', columns: ['commit', 'date', 'author', 'subject'], rows },
      summary: count(rows.length, 'commit'),
    };
  },
});

function argsOf({ limit, path }: Input): string[] {
  const number = Math.min(maxLimit, Math.max(1, Math.trunc(limit ?? defaultLimit)));
  return [
    'log',
    '-n',
    String(number),
    '--date=short',
    '--format=%h%x09%ad%x09%an%x09%s',
    ...(path ? ['--', path] : []),
  ];
}
