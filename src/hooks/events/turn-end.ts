import { defineHookEvent } from './define-hook-event.ts';

/** The model is done, or the turn was stopped. A refusal sends a model that is done on, with the reason. */
export const turnEnd = defineHookEvent<'turn-end'>({
  event: 'turn-end',
  group: 'turn',
  names: ['turn_end'],
  claudeNames: ['Stop', 'StopFailure'],
  isAbout({ reason }, name) {
    if (name === 'StopFailure') return reason === 'error';
    return name !== 'Stop' || (reason !== 'error' && reason !== 'aborted');
  },
  tools: () => null,
  subjects: () => null,
  fields: ({ reason, lastText }) => ({ reason, last_text: lastText }),
  claudeFields: ({ reason, lastText }, { isResumed }) => ({
    stop_hook_active: isResumed,
    last_assistant_message: lastText,
    ...(reason === 'error' ? { error: reason } : {}),
  }),
  merge: {
    decisions: ['deny', 'halt'],
    takesInput: false,
    takesContext: false,
    takesPlainText: false,
    isGate: false,
  },
});
