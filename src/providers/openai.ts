import { listModels } from './local/openai-models.ts';
import { defineProvider } from './provider-def.ts';
import { openaiChatDialect } from './wire/openai-chat.ts';
import { openaiResponsesDialect } from './wire/openai-responses.ts';

const maxCacheKey = 64;

/** OpenAI itself: the Responses API, or Chat Completions where the settings say so. Nothing is stored there. */
export const openai = defineProvider({
  type: 'openai',
  family: ({ api }) => (api === 'chat' ? 'openai-chat' : 'openai-responses'),
  dialect: ({ api }) => (api === 'chat' ? openaiChatDialect : openaiResponsesDialect),
  connect: async ({ api, baseUrl, apiKey, headers }, modelId, wireFetch) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({
      baseURL: baseUrl,
      // Always given: the SDK would look into the environment by itself.
      apiKey: apiKey ?? '',
      headers: { ...headers },
      fetch: wireFetch,
    });
    return api === 'chat' ? provider.chat(modelId) : provider.responses(modelId);
  },
  list: (connection, { signal }) => listModels(connection, signal),
  history: ({ api }) => ({
    toolImages: api === 'chat' ? 'after' : 'inline',
    system: 'joined',
    reasoning: 'parts',
    needsReasoningField: false,
  }),
  extras: ({ info, connection, threadId }) => {
    const isReasoning = info.reasoning.value;
    const common = { promptCacheKey: threadId.slice(0, maxCacheKey), store: false };
    // What we know of a model the SDK has not heard of; else its own knowledge counts.
    const known = info.reasoning.origin === 'default' ? {} : { forceReasoning: isReasoning };
    if (connection.api === 'chat') return { providerOptions: { openai: { ...common, ...known } } };
    const isShown = isReasoning && connection.wantsSummary && info.ref.effort !== 'none';
    const summary = isShown ? { reasoningSummary: 'auto' } : {};
    return { providerOptions: { openai: { ...common, ...known, ...summary } } };
  },
});
