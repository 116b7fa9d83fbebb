import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, sampleCall, toolFields } from './tool-fields.ts';

/** After all calls of one answer: may add to what the model reads next, or stop the turn. */
export const toolBatch = defineHookEvent<'tool-batch'>({
  event: 'tool-batch',
  group: 'tool',
  names: ['tool_batch'],
  claudeNames: ['PostToolBatch'],
  when: 'all calls of one answer have their results, before the model is called again',
  samples: [{ event: 'tool-batch', calls: [{ ...sampleCall, status: 'ok' }] }],
  fields: ({ calls }) => ({ calls: calls.map((call) => ({ ...toolFields(call), status: call.status })) }),
  claudeFields: ({ calls }, surroundings) => ({
    tool_calls: calls.map((call) => ({ ...claudeToolFields(call, surroundings), status: call.status })),
  }),
  merge: { decisions: ['deny', 'halt'], takesContext: true },
});
