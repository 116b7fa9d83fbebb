import { inspectOllama, listOllama } from './local/ollama-api.ts';
import { connectChat } from './openai-compatible.ts';
import { defineProvider } from './provider-def.ts';
import { nativeRequest, ollamaNativeDialect } from './wire/ollama-native.ts';
import { openaiChatDialect } from './wire/openai-chat.ts';

/** Ollama: Chat Completions for the SDK, turned into its native chat where the context size is ours to set. */
export const ollama = defineProvider({
  type: 'ollama',
  family: () => 'openai-compatible',
  dialect: (_connection, { numCtx }) => (numCtx === undefined ? openaiChatDialect : ollamaNativeDialect),
  connect: (connection, modelId, wireFetch) =>
    connectChat({ ...connection, baseUrl: `${connection.baseUrl}/v1` }, modelId, wireFetch),
  rewrite: (connection, { numCtx }) =>
    numCtx === undefined
      ? undefined
      : (request) => nativeRequest(request, { url: `${connection.baseUrl}/api/chat`, numCtx }),
  history: () => ({ toolImages: 'after', system: 'joined', reasoning: 'field', needsReasoningField: false }),
  extras: ({ info, maxOutputTokens }) =>
    maxOutputTokens === undefined && info.outputLimit.origin === 'config'
      ? { maxOutputTokens: info.outputLimit.value }
      : {},
  list: listOllama,
  inspect: inspectOllama,
});
