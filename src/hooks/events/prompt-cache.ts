import { defineHookEvent } from './define-hook-event.ts';

/** What the provider's own cache of the request's beginning was good for. */
export const promptCache = defineHookEvent<'prompt-cache'>({
  event: 'prompt-cache',
  group: 'prompt',
  names: ['prompt_cache_hit', 'prompt_cache_miss'],
  claudeNames: [],
  when: "an answer says what was read from the provider's cache: something (hit), or less than was there (miss)",
  samples: [
    { event: 'prompt-cache', isHit: true, model: 'local/small', tokens: 4_096 },
    { event: 'prompt-cache', isHit: false, model: 'local/small', tokens: 4_096, reason: 'expired' },
  ],
  isAbout: ({ isHit }, name) => name === (isHit ? 'prompt_cache_hit' : 'prompt_cache_miss'),
  fields: ({ model, tokens, reason }) => ({ model, tokens, ...(reason === undefined ? {} : { reason }) }),
});
