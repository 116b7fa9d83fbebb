import { defineHookEvent } from './define-hook-event.ts';

/** Before a prompt goes to the model: may refuse it or add to it. */
export const promptSubmit = defineHookEvent<'prompt-submit'>({
  event: 'prompt-submit',
  group: 'prompt',
  names: ['prompt_submit'],
  claudeNames: ['UserPromptSubmit'],
  isAbout: () => true,
  tools: () => null,
  subjects: () => null,
  fields: ({ prompt }) => ({ prompt }),
  claudeFields: ({ prompt }) => ({ prompt }),
  merge: {
    decisions: ['deny', 'halt'],
    takesInput: false,
    takesContext: true,
    takesPlainText: true,
    isGate: false,
  },
});
