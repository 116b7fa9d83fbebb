import type { Connection } from './connections.ts';
import { inspectModel, listModels } from './local/openai-models.ts';
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
  extras: ({ info, connection, maxOutputTokens }) => ({
    ...limit(maxOutputTokens, info.outputLimit.origin === 'config' ? info.outputLimit.value : undefined),
    ...(info.reasoning.value && info.ref.effort && isOpenRouter(connection)
      ? { effort: null, providerOptions: { openaiCompatible: { reasoning: { effort: info.ref.effort } } } }
      : {}),
  }),
  list: (connection, { signal }) => listModels(connection, signal),
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

function isOpenRouter(connection: Connection): boolean {
  return hostOf(connection.baseUrl) === 'openrouter.ai';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
