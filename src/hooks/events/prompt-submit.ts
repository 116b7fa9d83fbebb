import { defineHookEvent } from './define-hook-event.ts';

/** Before a prompt goes to the model: may refuse it or add to it. */
export const promptSubmit = defineHookEvent<'prompt-submit'>({
  event: 'prompt-submit',
  group: 'prompt',
  names: ['prompt_submit'],
  claudeNames: ['UserPromptSubmit'],
  when: 'a message of the person is about to go to the model',
  samples: [{ event: 'prompt-submit', prompt: 'fix the failing test' }],
  fields: ({ prompt }) => ({ prompt }),
  merge: { decisions: ['deny', 'halt'], takesContext: true, takesPlainText: true },
});
