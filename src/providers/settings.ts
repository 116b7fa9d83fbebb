import { z } from 'zod';
import { editToolSchema, effortSchema } from '#protocol/model-ref.ts';

const providerTypes = ['openai-compatible', 'openai', 'anthropic', 'google', 'ollama'] as const;
export type ProviderType = (typeof providerTypes)[number];

const tokens = z.number().int().positive();
const dollars = z.number().min(0).describe('US dollars for one million tokens');
const milliseconds = z.number().int().positive();
const port = z.number().int().min(1).max(65_535);

const toolCalling = z
  .enum(['native', 'text', 'auto'])
  .describe('how tools are called: by the API, written into the text, or found out (auto)');

const modelSettings = z.strictObject({
  name: z.string().optional().describe('how the picker calls it'),
  context_window: tokens.optional().describe('tokens that fit into one request and its answer'),
  output_limit: tokens.optional().describe('tokens that one answer may have'),
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  tool_calling: toolCalling.optional(),
  edit_tool: editToolSchema.optional().describe('what it changes files with best'),
  reasoning: z.boolean().optional(),
  efforts: z.array(effortSchema).optional().describe('levels that its reasoning can be set to'),
  price: z
    .strictObject({
      input: dollars.optional(),
      output: dollars.optional(),
      cache_read: dollars.optional(),
      cache_write: dollars.optional(),
    })
    .optional(),
});

const entry = z.strictObject({
  type: z.enum(providerTypes).optional().describe('may be left out for well-known ids'),
  base_url: z.string().optional(),
  api_key: z.string().optional().describe('better in a variable: see api_key_env'),
  api_key_env: z.string().optional().describe('name of the variable that holds the key'),
  headers: z.record(z.string(), z.string()).optional().describe('sent with every request'),
  models: z
    .union([z.record(z.string(), modelSettings), z.array(z.string())])
    .optional()
    .describe('models to offer, with what differs from what is known of them'),
  api: z.enum(['responses', 'chat']).optional().describe('type openai: which API to speak'),
  reasoning_summary: z
    .boolean()
    .optional()
    .describe('type openai: show what the model thinks; unverified organizations may not'),
  num_ctx: z
    .union([tokens, z.literal('server')])
    .optional()
    .describe('type ollama: context to load models with; "server" leaves it to the server'),
  local: z.boolean().optional().describe('runs on own hardware: free, patient timeouts'),
  tool_calling: toolCalling.optional(),
  timeout_ms: milliseconds.optional().describe('silence within an answer that counts as broken'),
  first_token_timeout_ms: milliseconds.optional().describe('silence before an answer'),
});

/** The form of the first llmcode: one nameless provider. Its other keys were never read; they are let through. */
const single = z.looseObject({
  type: z.enum(providerTypes).optional(),
  base_url: z.string().nullish(),
  api_key: z.string().optional(),
  api_key_env: z.string().optional(),
});

const localServers = z.strictObject({
  ollama: port.optional(),
  lmstudio: port.optional(),
  vllm: port.optional(),
  llamacpp: port.optional(),
  budget_ms: milliseconds.optional().describe('how long a server has to show that it is there'),
});

const routing = z.strictObject({
  sub_agent: z.string().optional().describe('model of helpers that the model starts'),
  compaction: z.string().optional().describe('model that summarises history'),
  title: z.string().optional().describe('model that names threads'),
  memory: z.string().optional().describe('model that notes what a session has taught, after it'),
  fallback: z.array(z.string()).default([]).describe('models that take over, in order, when one fails'),
  fallback_after: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      'failed tries of one call after which the next model takes over; at once when a quota is used up',
    ),
  return: z.boolean().default(false).describe('go back to the first model once it works again'),
  rest: z
    .number()
    .min(0)
    .default(300)
    .describe('seconds for which a model that failed is let alone before it is tried again'),
});

/** What a person may set about providers and models; a slice of the whole settings. */
export const providerSettings = z.object({
  model: z
    .string()
    .optional()
    .describe('provider/model[#effort], an alias, or an id that only one provider has'),
  provider: z.union([z.string(), single]).optional().describe('one provider without a name; see providers'),
  providers: z.record(z.string().regex(/^[^/#\s]+$/, 'no slash, # or blank'), entry).default({}),
  model_aliases: z.record(z.string(), z.string()).default({}),
  model_routing: routing.prefault({}).describe('other models for single jobs'),
  local_servers: z
    .union([z.boolean(), localServers])
    .default(true)
    .describe('look for model servers on this machine; an object sets their ports'),
  max_retries: z
    .number()
    .int()
    .min(0)
    .max(20)
    .default(4)
    .describe('how often a failed model call is repeated'),
  overload_waits: z
    .array(z.number().min(0).max(3_600))
    .max(20)
    .default([30, 60, 120])
    .describe('seconds between the tries while a provider is overloaded; [] = as after any other failure'),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe('seconds of silence within an answer that count as broken, for every provider'),
  pricing: z
    .record(z.string(), z.tuple([dollars, dollars]))
    .default({})
    .describe('model id to [input, output] price'),
});
export type ProviderSettings = z.infer<typeof providerSettings>;
export type ProviderEntry = z.infer<typeof entry>;
export type ModelSettings = z.infer<typeof modelSettings>;
