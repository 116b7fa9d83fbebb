import { listAnthropic } from './catalogue/vendor-lists.ts';
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
  list: (connection, { signal }) => listAnthropic(connection, signal),
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

/**
 * The four marks that there may be. Two stay: after the tools and the first block of the system prompt, which are the
 * same for everybody, and after the block of the project, which its next session shares. Two move along: at the end
 * of the newest turn, and where the request before ended, so that it is found again however long the turn was.
 */
function markForCache(prompt: SdkPrompt): void {
  const system = prompt.filter((message) => message.role === 'system');
  // The last of several blocks is for this session alone.
  const shared = system.length > 2 ? system.at(-2) : system.at(-1);
  for (const message of [system[0], shared, ...turnEnds(prompt).slice(-2)])
    if (message) message.providerOptions = cacheMark;
}

/** Results of tools and what the person says after them go out as one turn. */
function turnEnds(prompt: SdkPrompt): SdkMessage[] {
  const isAsking = (message: SdkMessage | undefined) => message?.role === 'user' || message?.role === 'tool';
  return prompt.filter((message, index) => isAsking(message) && !isAsking(prompt[index + 1]));
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
