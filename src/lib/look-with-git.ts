import path from 'node:path';
import { findProgram, foldersOutside, repositoryFolder, standardPath } from './find-program.ts';
import { type ProcessEnd, runProcess } from './spawn.ts';

type GitRun = Omit<Parameters<typeof runProcess>[0], 'command' | 'file' | 'args'> & {
  args: readonly string[];
};

/** git itself, wherever PATH leads: never a program of the repository that bears its name. */
export function gitProgram(cwd: string, env: Readonly<Record<string, string>>): string {
  return findProgram('git', env, [repositoryFolder(cwd)]);
}

/**
 * Runs git so that it only looks: no hook, filter, pager, diff program or helper that the repository names runs,
 * nothing is fetched, no lock is taken, and nothing outside of the repository's folder is taken for its files. For
 * `diff`, `show` and `log` the caller adds `plainDiff`, for `status` at least its last option.
 */
export async function lookWithGit({ args, ...options }: GitRun): Promise<ProcessEnd> {
  const { cwd } = options;
  const top = repositoryFolder(cwd);
  const env = {
    ...withSettings(options.env, quiet),
    PATH: foldersOutside(options.env['PATH'] ?? '', [top]).join(path.delimiter) || standardPath,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    // In a partial clone a missing object would be fetched from wherever the repository says.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
  const file = gitProgram(cwd, env);
  const own = await ownSettings({ ...options, env, file });
  return runProcess({
    ...options,
    file,
    args: ['--no-optional-locks', '--no-pager', ...args],
    env: {
      ...withSettings(env, own.settings),
      ...(own.hasOtherFolder ? { GIT_WORK_TREE: top } : {}),
    },
  });
}

/** No program for differences, none that makes text of files; submodules have settings of their own. */
export const plainDiff = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];

type GitSetting = readonly [key: string, value: string];

const quiet: readonly GitSetting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['log.showSignature', 'false'],
];

/** Not by `-c`, which takes the first `=` in a key for the end of it. */
function withSettings(
  env: Readonly<Record<string, string>>,
  settings: readonly GitSetting[],
): Record<string, string> {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const added = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(first + settings.length) };
}

const asked = String.raw`^(filter\..*\.(clean|smudge|process|required)|core\.worktree)$`;

/**
 * What the repository's own settings name, put back to what the person's say. git itself reads them, with all that
 * they include; a filter of the person's own (git-lfs) goes on working.
 */
async function ownSettings(
  options: Omit<GitRun, 'args'> & { file: string },
): Promise<{ settings: GitSetting[]; hasOtherFolder: boolean }> {
  const { file, cwd, env, signal } = options;
  const args = ['config', '--show-scope', '-z', '--get-regexp', asked];
  const end = await runProcess({ file, args, cwd, env, signal, timeoutMs: 10_000 });
  const fields = end.stdout.split('\0');
  const persons = new Map<string, string>();
  const repositorys = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = (fields[at + 1] ?? '').split('\n');
    if (fields[at] === 'local' || fields[at] === 'worktree') repositorys.add(key);
    else persons.set(key, value.join('\n'));
  }
  const hasOtherFolder = repositorys.delete('core.worktree');
  const settings = [...repositorys].map(
    (key): GitSetting => [key, persons.get(key) ?? (key.endsWith('.required') ? 'false' : '')],
  );
  return { settings, hasOtherFolder };
}
