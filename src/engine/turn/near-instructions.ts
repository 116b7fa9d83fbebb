import { fireHook } from './fire-hook.ts';
import type { ToolCallDeps, ToolCallOptions } from './tool-call.ts';

/** Instructions that count only where this call has been, for the model to read with its result; hooks hear of them. */
export async function nearInstructions(
  { services, hooks }: Pick<ToolCallDeps, 'services' | 'hooks'>,
  { paths, options }: { paths: readonly string[]; options: ToolCallOptions },
): Promise<string[]> {
  if (!services.instructions || paths.length === 0 || options.signal.aborted) return [];
  const { blocks, files } = await services.instructions.forPaths(paths);
  for (const file of files)
    await fireHook(hooks, { event: 'instructions-loaded', ...file }, { signal: options.signal });
  return blocks.length === 0
    ? []
    : [`Instructions for this part of the project, from now on:\n\n${blocks.join('\n\n')}`];
}
