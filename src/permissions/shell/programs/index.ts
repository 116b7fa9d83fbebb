import { awk } from './awk.ts';
import { git } from './git.ts';
import type { Program } from './program.ts';
import { searchPrograms } from './search-programs.ts';
import { sed } from './sed.ts';
import { shellPrograms } from './shell-programs.ts';
import { systemPrograms } from './system-programs.ts';
import { textPrograms } from './text-programs.ts';
import { toolPrograms } from './tool-programs.ts';

const all: readonly Program[] = [
  ...textPrograms,
  ...systemPrograms,
  ...shellPrograms,
  ...toolPrograms,
  ...searchPrograms,
  awk,
  sed,
  git,
];
const byName = new Map(all.flatMap((program) => program.names.map((name) => [name, program] as const)));

/** The program with a table of what only reads, by the word that starts it. Only system folders may lead. */
export function findProgram(commandWord: string): Program | undefined {
  return byName.get(commandWord.replace(/^\/(usr\/)?bin\//, ''));
}
