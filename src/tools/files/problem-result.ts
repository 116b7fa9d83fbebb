import { existsSync } from 'node:fs';
import { displayPath } from '#lib/paths.ts';
import type { FileProblem, SpecialFile } from '#lib/regular-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { toolError } from '../result/tool-error.ts';
import { size } from '../result/words.ts';
import { nearPaths } from './near-paths.ts';

type FileUse = 'read' | 'changed' | 'listed' | 'searched';

/** `use` says what was wanted. */
export async function problemResult(
  problem: FileProblem,
  { file, ctx, use }: { file: string; ctx: ToolContext; use: FileUse },
): Promise<ToolResult> {
  const shown = displayPath(file, ctx.cwd);
  switch (problem.kind) {
    case 'missing': {
      if (file.endsWith('/') && existsSync(file.slice(0, -1))) {
        const advice = use === 'listed' ? 'Read it with read_file.' : 'Leave out the / at its end.';
        return toolError('not_a_folder', `${shown} is a file, not a folder. ${advice}`);
      }
      const code = use === 'listed' ? 'folder_missing' : 'file_missing';
      const what = { read: 'file', changed: 'file', listed: 'folder', searched: 'file or folder' }[use];
      return toolError(code, `There is no ${what} ${shown}. ${await nearPaths(file, ctx)}`);
    }
    case 'folder': {
      const advice =
        use === 'changed'
          ? 'Give the path of a file in it.'
          : 'List it with list_directory, or name a file in it.';
      return toolError('not_a_file', `${shown} is a folder, not a file. ${advice}`);
    }
    case 'special': {
      const what = specialNames[problem.what ?? 'other'];
      const advice = use === 'changed' ? 'Choose another path.' : specialAdvice(problem.what, shown);
      return toolError(
        'not_a_file',
        `${shown} is ${what}, not a regular file; it cannot be ${use}. ${advice}`,
      );
    }
    case 'forbidden':
      return toolError('not_readable', `${shown} may not be read by this user (permission denied).`);
    case 'loop':
      return toolError('not_a_file', `${shown} is a symbolic link that leads back to itself.`);
    case 'moved':
      return toolError(
        'changed_on_disk',
        `${shown} leads elsewhere than when the call was allowed: a link was put in its way. Nothing was ${use}.`,
      );
    case 'too-large':
      return toolError(
        'too_large',
        `${shown} is too large to be ${use} here (${size(problem.bytes)}). Use bash, e.g. sed, head or split.`,
      );
    case 'failed':
      return toolError('not_readable', `${shown} could not be read: ${problem.text}`);
  }
}

const specialNames: Record<SpecialFile | 'other', string> = {
  pipe: 'a named pipe (FIFO)',
  socket: 'a socket',
  device: 'a device',
  other: 'a pipe, a socket or a device',
};

/** Reading such a file may wait for ever or never end. */
function specialAdvice(what: SpecialFile | undefined, shown: string): string {
  if (what === 'socket') return 'Talk to it with a program for it through bash, e.g. curl --unix-socket.';
  const limit = what === 'device' ? 'head -c 100' : 'timeout 5 head -c 1000';
  return `If you need what comes from it, take a bounded piece through bash, e.g. ${limit} ${shown}.`;
}
