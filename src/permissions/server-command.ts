import path from 'node:path';
import { isInside, realPathOf } from '#lib/paths.ts';
import { analyseCommand } from './shell/analyse.ts';
import type { ShellScope } from './shell/catastrophe.ts';

/** True for a program that lies in no folder of the workspace, so that no repository can have brought it. */
export function isForeignProgram(command: string, scope: ShellScope): boolean {
  const { parts, flags } = analyseCommand(command, scope);
  const [only] = parts;
  const word = only?.layers[0]?.[0];
  if (parts.length !== 1 || flags.length > 0 || word?.kind !== 'literal' || !path.isAbsolute(word.value))
    return false;
  const names = [path.resolve(word.value), realPathOf(word.value)];
  return !scope.roots.some((root) => names.some((name) => isInside(name, root)));
}
