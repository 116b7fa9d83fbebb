import { defineProvider } from './provider-def.ts';
import { geminiDialect } from './wire/gemini.ts';

/** The Gemini API. */
export const google = defineProvider({
  type: 'google',
  family: () => 'google',
  dialect: () => geminiDialect,
  connect: async ({ baseUrl, apiKey, headers }, modelId, wireFetch) => {
    const { createGoogle } = await import('@ai-sdk/google');
    const provider = createGoogle({
      baseURL: baseUrl,
      // Always given: the SDK would look into the environment by itself.
      apiKey: apiKey ?? '',
      headers: { ...headers },
      fetch: wireFetch,
    });
    return provider.languageModel(modelId);
  },
  history: () => ({
    // Only the newest models take images inside a result.
    toolImages: 'after',
    system: 'blocks',
    reasoning: 'parts',
    needsReasoningField: false,
  }),
  extras: ({ info }) =>
    info.reasoning.value
      ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
      : {},
});
