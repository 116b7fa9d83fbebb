import { defineHookEvent } from './define-hook-event.ts';

/** A thread is opened: what a hook prints is told to the model. */
export const sessionStart = defineHookEvent<'session-start'>({
  event: 'session-start',
  group: 'session',
  names: ['session_start'],
  claudeNames: ['SessionStart'],
  isAbout: () => true,
  tools: () => null,
  subjects: ({ source }) => [source],
  fields: ({ source }) => ({ source }),
  claudeFields: ({ source }) => ({ source }),
  merge: { decisions: [], takesInput: false, takesContext: true, takesPlainText: true, isGate: false },
});
