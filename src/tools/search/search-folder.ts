import { stat } from 'node:fs/promises';
import { displayPath } from '#lib/paths.ts';
import { fileProblem } from '#lib/regular-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { problemResult } from '../files/tool-path.ts';
import { toolError } from '../result/tool-error.ts';

/** Whether a search starts at a folder or a file, or the error result for the model. */
export async function searchStart(file: string, cwd: string): Promise<'folder' | 'file' | ToolResult> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return 'folder';
    return stats.isFile()
      ? 'file'
      : toolError('not_a_file', `${displayPath(file, cwd)} is a pipe, a socket or a device.`);
  } catch (error) {
    return problemResult(fileProblem(error), { file, cwd, use: 'searched' });
  }
}
