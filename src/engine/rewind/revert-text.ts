import { displayPath } from '#lib/paths.ts';
import type { FileChange } from '#protocol/rewind.ts';
import type { RevertStep } from './plan-revert.ts';

/** What the person is told. */
export type ToldRevert = { level: 'info' | 'warning'; text: string };

const shownNames = 8;

/** What came of a step back or forward, for people. */
export function revertText({
  cause,
  done,
  left,
  failed,
  cwd,
}: {
  cause: 'undo' | 'redo';
  done: readonly FileChange[];
  left: readonly RevertStep[];
  failed: readonly { path: string; why: string }[];
  cwd: string;
}): ToldRevert {
  const names = (paths: readonly { path: string }[]) => nameList(paths, cwd);
  const lines: string[] = [];
  if (done.length > 0) {
    const verb = cause === 'undo' ? 'Took back' : 'Brought back';
    lines.push(`${verb} ${counted(done.length)}: ${names(done)}`);
  }
  const edited = left.filter(({ state }) => state !== 'lost');
  if (edited.length > 0)
    lines.push(
      `Left ${counted(edited.length)} alone that changed since, not by llmcode: ${names(edited)}. \`/${cause} --force\` overwrites.`,
    );
  const lost = left.filter(({ state }) => state === 'lost');
  if (lost.length > 0) lines.push(`What was in ${names(lost)} was not kept.`);
  for (const { path, why } of failed.slice(0, shownNames))
    lines.push(`${displayPath(path, cwd)} was not put back: ${why}.`);
  if (lines.length === 0) lines.push('All files are already as they were.');
  return { level: left.length + failed.length > 0 ? 'warning' : 'info', text: lines.join('\n') };
}

function counted(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function nameList(paths: readonly { path: string }[], cwd: string): string {
  const shown = paths.slice(0, shownNames).map(({ path }) => displayPath(path, cwd));
  const rest = paths.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
