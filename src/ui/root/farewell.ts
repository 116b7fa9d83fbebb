import { cleanName } from '#lib/terminal-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { formatCost } from '../status/format.ts';

/** Printed after the screen is gone, which takes the conversation with it: how to come back to it. */
export function farewellLines({ threadId, name, messages, totals }: ThreadState): string[] {
  if (!messages.some((message) => message.role !== 'notice')) return [];
  const cost = formatCost(totals);
  const title = name === null ? 'this conversation' : cleanName(name);
  return [`Come back to ${title}: llmcode --resume ${threadId}${cost === '' ? '' : `   (${cost})`}`];
}
