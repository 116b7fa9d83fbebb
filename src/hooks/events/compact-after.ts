import { defineHookEvent } from './define-hook-event.ts';

export const compactAfter = defineHookEvent<'compact-after'>({
  event: 'compact-after',
  group: 'session',
  names: ['session_compact', 'post_compact'],
  claudeNames: ['PostCompact'],
  when: 'the history of a thread has been summarised',
  samples: [
    {
      event: 'compact-after',
      trigger: 'auto',
      summary: 'The parser is done.',
      tokensBefore: 90_000,
      tokensAfter: 9_000,
    },
  ],
  subjects: ({ trigger }) => [trigger],
  fields: ({ trigger, summary, tokensBefore, tokensAfter }) => ({
    trigger,
    summary,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
  }),
  claudeFields: ({ trigger, summary }) => ({ trigger, compact_summary: summary }),
});
