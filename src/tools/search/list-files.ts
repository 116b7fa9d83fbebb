import { realpath } from 'node:fs/promises';
import type { ToolContext } from '#protocol/tool.ts';
import { findRipgrep, runRipgrep, withoutDot } from './ripgrep.ts';
import { walkFiles } from './walk.ts';

/**
 * Calls back with every file below `folder` that no ignore file excludes, relative to it, in no particular
 * order. Ends early when the call is aborted.
 */
export async function listFiles(
  folder: string,
  ctx: ToolContext,
  onFile: (file: string) => void,
): Promise<void> {
  const program = await findRipgrep();
  const wasRun = program !== undefined && (await listWithRipgrep(program, folder, { ctx, onFile }));
  if (!wasRun) await listWithoutRipgrep(folder, { ctx, onFile });
}

type Listing = { ctx: ToolContext; onFile: (file: string) => void };

async function listWithRipgrep(program: string, folder: string, { ctx, onFile }: Listing): Promise<boolean> {
  let rest = '';
  const end = await runRipgrep({
    program,
    args: ['--files', '.'],
    folder,
    ctx,
    onText: (text) => {
      const names = (rest + text).split('\0');
      rest = names.pop() ?? '';
      for (const name of names) onFile(withoutDot(name));
      return false;
    },
  });
  return end.cause !== 'not-started';
}

export async function listWithoutRipgrep(folder: string, { ctx, onFile }: Listing): Promise<void> {
  for await (const file of walkFiles(await realpath(folder), ctx.signal)) onFile(file);
}
