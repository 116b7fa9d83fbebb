import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LlmcodeError } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import type { Host } from './host.ts';

/** The folder to work in, by `--cwd` or where the program was started; throws when there is none. */
export function workingFolder(host: Host, asked: string | undefined): string {
  if (host.cwd === '' && (asked === undefined || !path.isAbsolute(asked)))
    throw new LlmcodeError(
      'cwd-missing',
      'the folder that llmcode was started in no longer exists; cd to another one',
      {
        exitCode: 2,
      },
    );
  return existingFolder(asked === undefined ? host.cwd : path.resolve(host.cwd, asked));
}

export function existingFolder(folder: string): string {
  const kind = statSync(folder, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return realPathOf(folder);
  const what = kind ? 'is not a folder' : 'does not exist';
  throw new LlmcodeError('cwd-missing', `the folder ${folder} ${what}`, { exitCode: 2 });
}

/** The folder as the status line shows it: its last part, `~` for the home folder. */
export function folderLabel(folder: string): string {
  return folder === homedir() ? '~' : path.basename(folder) || folder;
}
