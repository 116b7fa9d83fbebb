import { cleanName } from '#lib/terminal-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { formatCost } from '../status/format.ts';

/** Printed after the screen is gone, which takes the conversation with it: how to come back to it. */
export function farewellLines(
  { threadId, name, messages, totals }: ThreadState,
  command = 'llmcode',
): string[] {
  if (!messages.some((message) => message.role !== 'notice')) return [];
  const cost = formatCost(totals, undefined);
  const title = name === null ? '' : ` to ${cleanName(name)}`;
  // One row of 80 cells when the thread has no name: it is there to be copied.
  return [`To come back${title}: ${command} --resume ${threadId}${cost === '' ? '' : `   (${cost})`}`];
}
