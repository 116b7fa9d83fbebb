import type { ToolContext } from '#protocol/tool.ts';
import type { GrepOutcome, GrepRequest } from './grep-hits.ts';
import { grepWithRipgrep } from './grep-with-ripgrep.ts';
import { grepWithoutRipgrep } from './grep-without-ripgrep.ts';
import { findRipgrep } from './ripgrep.ts';

/** Hits by file, files in the order of their paths. */
export async function grep(request: GrepRequest, ctx: ToolContext): Promise<GrepOutcome> {
  const program = await findRipgrep();
  const outcome = program === undefined ? undefined : await grepWithRipgrep(program, request, ctx);
  return outcome ?? grepWithoutRipgrep(request, ctx);
}
