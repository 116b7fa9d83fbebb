import { defineHookEvent } from './define-hook-event.ts';

/** A thread is opened: what a hook prints is told to the model. */
export const sessionStart = defineHookEvent<'session-start'>({
  event: 'session-start',
  group: 'session',
  names: ['session_start'],
  claudeNames: ['SessionStart'],
  when: 'a thread is opened, or goes on after its history was summarised',
  samples: [{ event: 'session-start', source: 'startup' }],
  subjects: ({ source }) => [source],
  fields: ({ source }) => ({ source }),
  merge: { takesContext: true, takesPlainText: true },
});
