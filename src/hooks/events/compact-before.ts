import { defineHookEvent } from './define-hook-event.ts';

/** Before history is summarised: may keep it as it is. */
export const compactBefore = defineHookEvent<'compact-before'>({
  event: 'compact-before',
  group: 'session',
  names: ['pre_compact'],
  claudeNames: ['PreCompact'],
  when: 'the history of a thread is about to be summarised',
  samples: [{ event: 'compact-before', trigger: 'manual', focus: 'the parser' }],
  subjects: ({ trigger }) => [trigger],
  fields: ({ trigger, focus }) => ({ trigger, focus }),
  claudeFields: ({ trigger, focus }) => ({ trigger, custom_instructions: focus }),
  merge: { decisions: ['deny', 'halt'] },
});
