import { lookWithGit, plainDiff } from '#lib/look-with-git.ts';

type GitOptions = { env: Readonly<Record<string, string>> };

/** Branch and number of changed files; null outside a repository or without git. */
export async function gitBranch(
  cwd: string,
  options: GitOptions,
): Promise<{ name: string; changed: number } | null> {
  const status = await git(
    cwd,
    ['status', '--porcelain=v2', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty'],
    options,
  );
  if (status === null) return null;
  const lines = status.text.split('\n').filter((line) => line.startsWith('#'));
  const head = lines.find((line) => line.startsWith('# branch.head '))?.slice('# branch.head '.length);
  const commit = lines.find((line) => line.startsWith('# branch.oid '))?.slice('# branch.oid '.length);
  const name = head === '(detached)' ? (commit?.slice(0, 8) ?? head) : (head ?? '');
  // Of thousands of changes only the beginning is kept, but all are counted.
  return { name, changed: status.lines - lines.length };
}

/** Everything that differs from the last commit, new files named at the end; null outside a repository. */
export async function gitDiff(cwd: string, options: GitOptions): Promise<string | null> {
  const status = await git(
    cwd,
    ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=dirty'],
    options,
  );
  if (status === null) return null;
  const added = status.text
    .split('\0')
    .filter((entry) => entry.startsWith('?? '))
    .map((entry) => `new file, not added yet: ${entry.slice(3)}`);
  const plain = ['--no-color', ...plainDiff];
  // Without a commit there is no HEAD to compare with.
  const diff =
    (await git(cwd, ['diff', ...plain, 'HEAD'], options)) ?? (await git(cwd, ['diff', ...plain], options));
  const cut = diff?.isCut || status.isCut ? [cutText] : [];
  return [diff?.text.trimEnd() ?? '', ...added, ...cut].filter((part) => part !== '').join('\n');
}

/** The last line, so that nobody takes a part for the whole. */
const cutText = '… there is more; only the beginning of these changes was read';

type GitOutput = { text: string; lines: number; isCut: boolean };

async function git(cwd: string, args: readonly string[], { env }: GitOptions): Promise<GitOutput | null> {
  let lines = 0;
  const end = await lookWithGit({
    args,
    cwd,
    env,
    timeoutMs: 10_000,
    captureChars: 400_000,
    onOutput: (text, stream) => {
      if (stream === 'stdout') lines += text.split('\n').length - 1;
    },
  });
  if (end.cause !== 'exited' || end.exitCode !== 0) return null;
  return { text: end.stdout, lines, isCut: end.isTruncated };
}
