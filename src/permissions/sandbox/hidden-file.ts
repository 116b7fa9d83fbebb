import path from 'node:path';
import { isSecret } from '../paths/names.ts';
import { wordList } from '../word-list.ts';

/** Keys that lie here were made to be shown: tests could not run without them. */
const trialFolders = new Set(
  wordList(
    'test tests __tests__ testdata fixtures __fixtures__ spec specs e2e example examples sample samples',
  ),
);

/** True for a file of the workspace that commands in a sandbox do not see, unless it was allowed to them by name. */
export function isHidden(file: string): boolean {
  return (
    isSecret(file) &&
    !path
      .dirname(file)
      .split(path.sep)
      .some((name) => trialFolders.has(name))
  );
}
