import { toolNamesOf } from '#protocol/tool-names.ts';
import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, sampleCall, toolFields } from './tool-fields.ts';

export const toolDenied = defineHookEvent<'tool-denied'>({
  event: 'tool-denied',
  group: 'tool',
  names: ['tool_denied'],
  claudeNames: ['PermissionDenied'],
  when: 'a call was refused: by a rule, by a hook, by the person, or because nobody can be asked',
  samples: [{ event: 'tool-denied', ...sampleCall, reason: 'Not permitted: rule Edit(src/**)' }],
  tools: ({ tool }) => toolNamesOf(tool),
  subjects: ({ tool }) => toolNamesOf(tool),
  fields: (event) => ({ ...toolFields(event), reason: event.reason }),
  claudeFields: (event, surroundings) => ({
    ...claudeToolFields(event, surroundings),
    reason: event.reason,
  }),
});
