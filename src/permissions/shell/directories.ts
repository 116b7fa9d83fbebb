import path from 'node:path';
import { programName } from './unwrap.ts';
import type { ShellTree, SimpleCommand } from './walk.ts';
import { type ShellWord, wordText } from './words.ts';

/** With more folders than this the text counts as not understood. */
const maxFolders = 8;

/**
 * The folders in which each command of a text may run. A `cd` may fail or be skipped, so its target is added to
 * the earlier ones, never put in their place. Where a target is not known, `judgeCommand` refuses the `cd` itself.
 */
export function followDirectories(
  tree: ShellTree,
  start: readonly string[],
): { folders: readonly (readonly string[])[]; isComplete: boolean } {
  let current = [...start];
  let isComplete = true;
  const before = tree.commands.map((command) => {
    const here = current;
    const target = directoryTarget(command);
    if (target !== undefined) {
      const next = here.flatMap((dir) => [path.resolve(dir, target), `${dir}/${target}`]).map(withoutTail);
      const all = [...new Set([...here, ...(target.startsWith('/') ? [target] : next)])];
      isComplete &&= all.length <= maxFolders;
      current = all.slice(0, maxFolders);
    }
    return here;
  });
  // In loops and functions a later `cd` counts for an earlier command.
  return { folders: tree.isReordered ? before.map(() => current) : before, isComplete };
}

/** The folder that a `cd` or `pushd` names; undefined for any other command and for a target that is not known. */
function directoryTarget({ words }: Pick<SimpleCommand, 'words'>): string | undefined {
  const rest = afterWrappers(words);
  const name = programName(rest[0]);
  if (name !== 'cd' && name !== 'pushd' && name !== 'chdir') return undefined;
  const operand = directoryOperand(rest.slice(1));
  return operand?.kind === 'literal' ? operand.value : undefined;
}

/** Its operand, when the options before it are plain. */
export function directoryOperand(args: readonly ShellWord[]): ShellWord | undefined {
  const operands = args.filter((word) => !/^(-[LP]+|--)$/.test(wordText(word)));
  const [first] = operands;
  const isPlain = operands.length === 1 && first && !/^[-+]/.test(wordText(first));
  return isPlain ? first : undefined;
}

function afterWrappers(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(words[0]);
  return name === 'builtin' || name === 'command' ? words.slice(1) : words;
}

const withoutTail = (dir: string) => (dir.length > 1 ? dir.replace(/\/+$/, '') : dir);
