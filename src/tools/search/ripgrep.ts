import { type ProcessEnd, runProcess } from '#lib/spawn.ts';
import type { ToolContext } from '#protocol/tool.ts';

/** Where the bundled ripgrep lies; undefined on a platform it does not come for. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return undefined; // Its package throws when there is no binary; the JavaScript search takes over.
  }
}

/**
 * Ignore files count in every folder, also outside a repository; hidden files are searched, `.git` is not. No
 * configuration of the person or the repository may change what is searched.
 */
const ripgrepBase = [
  '--no-config',
  '--no-require-git',
  '--hidden',
  '--glob=!.git',
  '--no-messages',
  '--color=never',
  '--null',
] as const;

type RipgrepRun = {
  program: string;
  args: readonly string[];
  /** The folder that is searched; paths in the output are relative to it. */
  folder: string;
  ctx: ToolContext;
  /** Gets the output piece by piece; true stops the search. */
  onText: (text: string) => boolean;
};

export async function runRipgrep({ program, args, folder, ctx, onText }: RipgrepRun): Promise<ProcessEnd> {
  const enough = new AbortController();
  return runProcess({
    file: program,
    args: [...ripgrepBase, ...args],
    cwd: folder,
    env: ctx.childEnv,
    signal: AbortSignal.any([ctx.signal, enough.signal]),
    captureChars: 2_000,
    onOutput: (text, stream) => {
      if (stream === 'stdout' && !enough.signal.aborted && onText(text)) enough.abort();
    },
  });
}

/** Without the `./` that ripgrep puts before paths when it is told to search `.`. */
export function withoutDot(file: string): string {
  return file.startsWith('./') ? file.slice(2) : file;
}
