import { toolNamesOf } from '#protocol/tool-names.ts';
import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, sampleCall, toolFields } from './tool-fields.ts';

/** Before the person is asked about a call: may answer in their place. No verdict leaves it to them. */
export const permissionRequest = defineHookEvent<'permission-request'>({
  event: 'permission-request',
  group: 'tool',
  names: ['permission_request'],
  claudeNames: ['PermissionRequest'],
  when: 'a call is about to be asked about, also where nobody is there to ask',
  samples: [
    {
      event: 'permission-request',
      ...sampleCall,
      reasons: ['no rule covers it'],
      suggestedRule: 'Edit(src/a.ts)',
    },
  ],
  tools: ({ tool }) => toolNamesOf(tool),
  subjects: ({ tool }) => toolNamesOf(tool),
  fields: (event) => ({
    ...toolFields(event),
    reasons: [...event.reasons],
    ...(event.suggestedRule === undefined ? {} : { suggested_rule: event.suggestedRule }),
  }),
  claudeFields: (event, surroundings) => ({
    ...claudeToolFields(event, surroundings),
    permission_suggestions: event.suggestedRule === undefined ? [] : [suggestion(event.suggestedRule)],
  }),
  merge: { decisions: ['allow', 'deny', 'halt'], takesInput: true },
});

function suggestion(rule: string) {
  const [, toolName = rule, ruleContent] = /^(\w+)\((.*)\)$/s.exec(rule) ?? [];
  return {
    type: 'addRules',
    rules: [ruleContent === undefined ? { toolName } : { toolName, ruleContent }],
    behavior: 'allow',
    destination: 'session',
  };
}
