import { toolNamesOf } from '#protocol/tool-names.ts';
import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, sampleCall, toolFields } from './tool-fields.ts';

/** Before a call is decided and run: may refuse it, ask, allow, or give it another input. */
export const toolBefore = defineHookEvent<'tool-before'>({
  event: 'tool-before',
  group: 'tool',
  names: ['tool_before', 'pre_tool_use'],
  claudeNames: ['PreToolUse'],
  when: 'the model called a tool, before rules decide about it and before it runs',
  samples: [{ event: 'tool-before', ...sampleCall }],
  tools: ({ tool }) => toolNamesOf(tool),
  subjects: ({ tool }) => toolNamesOf(tool),
  fields: toolFields,
  claudeFields: claudeToolFields,
  merge: {
    decisions: ['allow', 'ask', 'deny', 'halt'],
    takesInput: true,
    takesContext: true,
    isGate: true,
  },
});
