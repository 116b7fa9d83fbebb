import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { ProviderDef } from './provider-def.ts';
import type { ProviderType } from './settings.ts';

/** Every kind of provider; one line each. */
export const providerDefs: Readonly<Record<ProviderType, ProviderDef>> = {
  'openai-compatible': openaiCompatible,
  openai,
  anthropic,
  google,
  ollama,
};
