import path from 'node:path';
import { readThread } from '#engine/thread/store.ts';
import { type ExportFormat, endingOf, formatOfFile } from '../threads/export-format.ts';
import { exportText } from '../threads/export-thread.ts';
import { headingOf } from '../threads/thread-heading.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { writeNewFile } from './save-transcript.ts';

/**
 * Writes the conversation on the screen into a new file. `file` '' is one that is named after the thread, in the
 * working folder; the format is what the end of its name says, unless it is given. Resolves with the whole path.
 */
export async function saveExport(
  session: InteractiveSession,
  { file, format: wanted }: { file: string; format: ExportFormat | undefined },
): Promise<string> {
  const state = await session.state();
  const format = wanted ?? formatOfFile(file);
  const kept = await readThread(session.home, state.threadId).catch(() => null);
  const text = await exportText(format, { heading: headingOf(state), state, header: kept?.header ?? null });
  const name = file === '' ? `llmcode-${state.threadId}.${endingOf(format)}` : file;
  return writeNewFile(path.extname(name) === '' ? `${name}.${endingOf(format)}` : name, {
    text,
    cwd: session.cwd,
  });
}
