import type { Effort, ProviderFamily } from '#protocol/model-ref.ts';

/** Levels of reasoning that an API takes of a model of which nothing more is known. */
export const effortsOf: Readonly<Record<ProviderFamily, readonly Effort[]>> = {
  anthropic: ['none', 'low', 'medium', 'high', 'max'],
  'openai-responses': ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  'openai-chat': ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  google: ['low', 'medium', 'high'],
  'openai-compatible': ['low', 'medium', 'high'],
  demo: [],
};
