import type { ThreadState } from '#protocol/thread-state.ts';
import { isBusy } from './activity.ts';

/** The call of the newest command that runs. */
export function runningCommand({ activeRuns, live, messages }: ThreadState): string | undefined {
  const parts = [...messages.slice(-4), ...(live ? [live] : [])].flatMap((message) => message.parts);
  return Object.entries(activeRuns).findLast(
    ([callId, { progress }]) =>
      progress?.kind === 'terminal' ||
      parts.some((part) => part.kind === 'tool-call' && part.callId === callId && part.tool === 'bash'),
  )?.[0];
}

/** A turn that stopped before it was done goes on without a new message. */
export function canGoOn(thread: ThreadState): boolean {
  const reason = thread.lastTurnEnd?.reason;
  return !isBusy(thread) && (reason === 'step-limit' || reason === 'error');
}
