import { defineHookEvent } from './define-hook-event.ts';

/** The model is done, or the turn was stopped. A refusal sends a model that is done on, with the reason. */
export const turnEnd = defineHookEvent<'turn-end'>({
  event: 'turn-end',
  group: 'turn',
  names: ['turn_end'],
  claudeNames: ['Stop', 'StopFailure'],
  when: 'the model is done, or the turn was stopped or failed (StopFailure)',
  samples: [
    { event: 'turn-end', reason: 'done', lastText: 'The test passes now.' },
    { event: 'turn-end', reason: 'error', lastText: '' },
  ],
  isAbout({ reason }, name) {
    if (name === 'StopFailure') return reason === 'error';
    return name !== 'Stop' || (reason !== 'error' && reason !== 'aborted');
  },
  fields: ({ reason, lastText }) => ({ reason, last_text: lastText }),
  claudeFields: ({ reason, lastText }, { isResumed }) => ({
    stop_hook_active: isResumed,
    last_assistant_message: lastText,
    ...(reason === 'error' ? { error: reason } : {}),
  }),
  merge: { decisions: ['deny', 'halt'] },
});
