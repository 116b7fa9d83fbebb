import type { ModelInfo } from '#protocol/model-ref.ts';
import type { Connection } from './connections.ts';
import { inspectModel, listLocalModels, listModels } from './local/openai-models.ts';
import { defineProvider } from './provider-def.ts';
import { openaiChatDialect } from './wire/openai-chat.ts';

/** Anything that speaks Chat Completions: most vendors, gateways and local servers. */
export const openaiCompatible = defineProvider({
  type: 'openai-compatible',
  family: () => 'openai-compatible',
  dialect: () => openaiChatDialect,
  connect: connectChat,
  history: (connection) => ({
    toolImages: 'after',
    system: 'joined',
    reasoning: 'field',
    needsReasoningField: hostOf(connection.baseUrl) === 'api.deepseek.com',
  }),
  extras: ({ info, connection, threadId, maxOutputTokens }) => ({
    ...limit(maxOutputTokens, info.outputLimit.origin === 'config' ? info.outputLimit.value : undefined),
    ...(hostOf(connection.baseUrl) === 'openrouter.ai' ? openRouterExtras(info, threadId) : {}),
  }),
  list: (connection, patience) =>
    connection.isLocal ? listLocalModels(connection, patience) : listModels(connection, patience.signal),
  inspect: async (connection, modelId, signal) =>
    connection.isLocal ? inspectModel(connection, modelId, signal) : {},
});

export async function connectChat(connection: Connection, modelId: string, wireFetch: typeof fetch) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { baseUrl, apiKey, headers } = connection;
  const provider = createOpenAICompatible({
    name: 'openaiCompatible',
    baseURL: baseUrl,
    headers: { ...headers },
    includeUsage: true,
    fetch: wireFetch,
    ...(apiKey ? { apiKey } : {}),
  });
  return provider.languageModel(modelId);
}

/** A limit that nobody asked for is left to the server: its own default is the largest that fits. */
function limit(asked: number | undefined, configured: number | undefined): { maxOutputTokens?: number } {
  return asked === undefined && configured !== undefined ? { maxOutputTokens: configured } : {};
}

const maxSessionId = 256;

/** One conversation stays with one upstream, whose cache it fills; a vendor that caches only what is marked gets marks. */
function openRouterExtras({ ref, reasoning }: ModelInfo, threadId: string) {
  const isMarked = ref.model.startsWith('anthropic/');
  const fields = {
    session_id: threadId.slice(0, maxSessionId),
    ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}),
    ...(reasoning.value && ref.effort ? { reasoning: { effort: ref.effort } } : {}),
  };
  return {
    ...('reasoning' in fields ? { effort: null } : {}),
    providerOptions: { openaiCompatible: fields },
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
