import { gitProgram, lookWithGit } from '#lib/look-with-git.ts';
import { type ProcessEnd, runProcess } from '#lib/spawn.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { Resource } from '#protocol/permission.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { aborted, toolError } from '../result/tool-error.ts';

const timeoutMs = 120_000;

type GitOptions = {
  /** `look`: nothing of the repository runs. `stage`: no hooks. `act`: the hooks that the person expects run. */
  use: 'look' | 'stage' | 'act';
  env?: Readonly<Record<string, string>>;
};

/** Runs git with arguments, never through a shell. */
export function runGit(args: readonly string[], ctx: ToolContext, options: GitOptions): Promise<ProcessEnd> {
  const { cwd, signal } = ctx;
  const env = { ...ctx.childEnv, ...options.env };
  const all = ['--literal-pathspecs', ...args];
  const run = { cwd, env, signal, timeoutMs, captureChars: 5_000_000 };
  if (options.use === 'look') return lookWithGit({ ...run, args: all });
  const noHooks = options.use === 'stage' ? ['-c', 'core.hooksPath=/dev/null'] : [];
  return runProcess({ ...run, file: gitProgram(cwd, env), args: [...noHooks, ...all] });
}

/** What git said, the stream that matters first. */
export function gitSaid(...streams: readonly string[]): string {
  return streams
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
}

/** What did not work, for the model; undefined when it did. */
export function gitFailure(end: ProcessEnd, what: string): ToolResult | undefined {
  if (end.cause === 'exited' && end.exitCode === 0) return undefined;
  if (end.cause === 'aborted') return aborted(`${what} was interrupted: look at git_status before going on.`);
  if (end.cause === 'timeout')
    return toolError('timeout', `${what} took longer than ${timeoutMs / 1000} seconds and was stopped.`);
  if (end.cause === 'not-started') return toolError('no_git', end.error ?? 'git could not be started.');
  const said = [end.stderr, end.stdout].map((text) => text.trim()).filter((text) => text !== '');
  const isNoRepository = end.stderr.includes('not a git repository');
  return toolError(
    isNoRepository ? 'no_repository' : 'git_failed',
    isNoRepository
      ? 'This folder is not in a git repository.'
      : `${what} failed: ${said.join('\n').slice(0, 8_000)}`,
  );
}

/** The same call as a command: rules and modes judge it like the one that somebody types. */
export function gitCommands(cwd: string, commands: readonly (readonly string[])[]): Resource[] {
  const command = commands.map((args) => ['git', ...args].map(quoted).join(' ')).join(' && ');
  return [{ kind: 'command', command, cwd }];
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A branch, remote or commit by a name that git cannot take for an option or a rule. */
export function isPlainName(name: string): boolean {
  return /^[^-+\s~^:?*[\\][^\s:?*[\\]*$/.test(name) && !name.includes('..');
}
