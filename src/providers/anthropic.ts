import type { SdkMessage, SdkPrompt } from './language-model.ts';
import { defineProvider } from './provider-def.ts';
import { anthropicDialect } from './wire/anthropic.ts';

const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const minOutput = 4_096;

/** The Messages API of Anthropic. */
export const anthropic = defineProvider({
  type: 'anthropic',
  family: () => 'anthropic',
  dialect: () => anthropicDialect,
  connect: async ({ baseUrl, apiKey, headers }, modelId, wireFetch) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const provider = createAnthropic({
      baseURL: baseUrl,
      // Always given: the SDK would look into the environment by itself.
      apiKey: apiKey ?? '',
      headers: { ...headers },
      fetch: wireFetch,
    });
    return provider.languageModel(modelId);
  },
  history: () => ({
    toolImages: 'inline',
    system: 'blocks',
    reasoning: 'parts',
    needsReasoningField: false,
  }),
  extras: ({ info, prompt, maxOutputTokens }) => {
    markForCache(prompt);
    return {
      // Tool arguments come whole and checked instead of raw and early.
      providerOptions: { anthropic: { toolStreaming: false } },
      maxOutputTokens: fittingLimit(maxOutputTokens ?? info.outputLimit.value, {
        window: info.contextWindow.value,
        prompt,
      }),
      ...(mayThink(prompt) ? {} : { effort: null }),
    };
  },
});

/** Three of the four marks: the system prompt with the tools before it, and the last two turns of the person. */
function markForCache(prompt: SdkPrompt): void {
  const system = prompt.findLast((message) => message.role === 'system');
  const turns = prompt.filter((message) => message.role === 'user' || message.role === 'tool').slice(-2);
  for (const message of [system, ...turns]) if (message) message.providerOptions = cacheMark;
}

/** This API refuses a limit that would not fit beside the prompt; a rough count is enough to stay below. */
function fittingLimit(limit: number, { window, prompt }: { window: number; prompt: SdkPrompt }): number {
  const characters = prompt.reduce((sum, message) => sum + lengthOf(message), 0);
  const room = window - Math.ceil(characters / 3);
  return Math.min(limit, Math.max(minOutput, room));
}

function lengthOf(message: SdkMessage): number {
  if (typeof message.content === 'string') return message.content.length;
  // An image is far smaller in tokens than in characters.
  const text = JSON.stringify(message.content, (key, value: unknown) => (key === 'data' ? 4_000 : value));
  return text.length;
}

/** With a thinking budget, the message of a running tool loop has to begin with thinking of its own. */
function mayThink(prompt: SdkPrompt): boolean {
  if (prompt.at(-1)?.role !== 'tool') return true;
  const assistant = prompt.findLast((message) => message.role === 'assistant');
  return assistant?.content[0]?.type === 'reasoning';
}
