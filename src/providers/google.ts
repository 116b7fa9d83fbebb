import { listGoogle } from './catalogue/vendor-lists.ts';
import { defineProvider } from './provider-def.ts';
import { geminiDialect } from './wire/gemini.ts';

/** Of these the SDK knows by itself what they want. A name of a proxy may stand for any model. */
const knownModel = /(^|[/.])(gemini-|gemma-)/i;
/** What the vendor documents for calls that another model made: it refuses calls without a signature. */
const unsignedCall = { google: { thoughtSignature: 'skip_thought_signature_validator' } };

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
  list: (connection, { signal }) => listGoogle(connection, signal),
  history: (_connection, modelId) => ({
    // Only the newest models take images inside a result.
    toolImages: 'after',
    system: 'blocks',
    reasoning: 'parts',
    needsReasoningField: false,
    ...(knownModel.test(modelId) ? {} : { unsignedCall }),
  }),
  extras: ({ info }) =>
    info.reasoning.value
      ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
      : {},
});
