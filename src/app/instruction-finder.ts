import { log } from '#lib/log.ts';
import type { PlaceOptions } from '#memory/instruction-places.ts';
import type { InstructionFile } from '#memory/instructions.ts';
import { NearInstructions } from '#memory/near-instructions.ts';
import type { InstructionFinder } from '#protocol/tool.ts';

/** Finds the instructions of folders below the working folder for one thread. */
export function createInstructionFinder(
  options: PlaceOptions,
  given: readonly InstructionFile[],
): InstructionFinder {
  const near = new NearInstructions(options, given);
  return {
    async forPaths(paths) {
      const { blocks, files, notices } = await near.forPaths(paths);
      for (const notice of notices) log('instructions:', notice);
      return { blocks, files: files.map(({ path: file }) => ({ file, scope: 'project' as const })) };
    },
  };
}
