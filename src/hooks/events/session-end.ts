import { defineHookEvent } from './define-hook-event.ts';

const claudeReasons = ['clear', 'resume', 'logout', 'prompt_input_exit'];

/** A thread is closed; nothing can be changed any more. */
export const sessionEnd = defineHookEvent<'session-end'>({
  event: 'session-end',
  group: 'session',
  names: ['session_end'],
  claudeNames: ['SessionEnd'],
  when: 'a thread is closed',
  samples: [{ event: 'session-end', reason: 'exit' }],
  subjects: ({ reason }) => [reason, claudeReason(reason)],
  fields: ({ reason }) => ({ reason }),
  claudeFields: ({ reason }) => ({ reason: claudeReason(reason) }),
});

function claudeReason(reason: string): string {
  return claudeReasons.includes(reason) ? reason : 'other';
}
