import { runProcess } from '#lib/spawn.ts';

type GitOptions = { env: Readonly<Record<string, string>> };

/** Branch and number of changed files; null outside a repository or without git. */
export async function gitBranch(
  cwd: string,
  options: GitOptions,
): Promise<{ name: string; changed: number } | null> {
  const text = await git(cwd, ['status', '--porcelain=v2', '--branch', '--untracked-files=normal'], options);
  if (text === null) return null;
  const lines = text.split('\n').filter((line) => line !== '');
  const head = lines.find((line) => line.startsWith('# branch.head '))?.slice('# branch.head '.length);
  const commit = lines.find((line) => line.startsWith('# branch.oid '))?.slice('# branch.oid '.length);
  const name = head === '(detached)' ? (commit?.slice(0, 8) ?? head) : (head ?? '');
  return { name, changed: lines.filter((line) => !line.startsWith('#')).length };
}

/** Everything that differs from the last commit, new files named at the end; null outside a repository. */
export async function gitDiff(cwd: string, options: GitOptions): Promise<string | null> {
  const status = await git(cwd, ['status', '--porcelain=v1', '-z', '--untracked-files=all'], options);
  if (status === null) return null;
  const added = status
    .split('\0')
    .filter((entry) => entry.startsWith('?? '))
    .map((entry) => `new file, not added yet: ${entry.slice(3)}`);
  const plain = ['--no-ext-diff', '--no-color', '--no-textconv'];
  // Without a commit there is no HEAD to compare with.
  const diff =
    (await git(cwd, ['diff', ...plain, 'HEAD'], options)) ?? (await git(cwd, ['diff', ...plain], options));
  return [diff?.trimEnd() ?? '', ...added].filter((part) => part !== '').join('\n');
}

async function git(cwd: string, args: readonly string[], { env }: GitOptions): Promise<string | null> {
  // A status in the background must not take the lock that the person's own git needs.
  const all = ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args];
  const end = await runProcess({
    file: 'git',
    args: all,
    cwd,
    env,
    timeoutMs: 10_000,
    captureChars: 400_000,
  });
  return end.cause === 'exited' && end.exitCode === 0 ? end.stdout : null;
}
