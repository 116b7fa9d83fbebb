import { type ThreadEntry, threadEntrySchema } from '#protocol/thread-entry.ts';
import { expectSound } from '../engine/strict-thread.ts';
import type { LogLine } from './home.ts';

/** What must hold of a thread log at rest: known lines, one end for each turn, one result for each call. */
export function expectSoundLog(lines: readonly LogLine[]): void {
  const [header, ...entries] = lines.map((line) => threadEntrySchema.parse(line));
  if (!header || isEvent(header)) throw new Error('a log without a header');
  expectSound(entries.filter(isEvent));
}

function isEvent(entry: ThreadEntry): entry is Exclude<ThreadEntry, { type: 'thread' }> {
  return 'kind' in entry;
}
