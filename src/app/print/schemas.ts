import { z } from 'zod';
import { jsonValueSchema } from '#protocol/json.ts';
import { consultPartSchema } from '#protocol/message.ts';

// What `--output-format json` and `stream-json` print. Field names are those that scripts for this kind of stream
// already read; a field is added, never renamed.

const usage = z.object({
  /** Without what came from or went into the cache. */
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
});

const modelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  /** null when the price is not known. */
  costUSD: z.number().nullable(),
  contextWindow: z.number().nullable(),
});

const denial = z.object({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: jsonValueSchema,
  reason: z.string(),
});
export type Denial = z.infer<typeof denial>;

const identity = { session_id: z.string(), uuid: z.string() };

export const resultLineSchema = z.strictObject({
  type: z.literal('result'),
  subtype: z.enum([
    'success',
    'error_max_turns',
    'error_max_budget_usd',
    'error_max_structured_output_retries',
    'error_during_execution',
  ]),
  schema_version: z.literal(1),
  is_error: z.boolean(),
  duration_ms: z.number(),
  /** Time spent waiting for the model. */
  duration_api_ms: z.number(),
  num_turns: z.number().int(),
  /** The final answer; with an error what there was of it. */
  result: z.string(),
  stop_reason: z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal']).nullable(),
  /** Empty when no thread was opened. */
  ...identity,
  /** null when a call had no known price. */
  total_cost_usd: z.number().nullable(),
  usage,
  modelUsage: z.record(z.string(), modelUsage),
  permission_denials: z.array(denial),
  /** With `--json-schema`: the answer as JSON. */
  structured_output: jsonValueSchema.optional(),
  errors: z.array(z.string()),
  /** `done`, or why it ended before that, e.g. `step-limit`, `budget`, `timeout`, `interrupted`, `denied`. */
  terminal_reason: z.string(),
  exit_code: z.number().int(),
});
export type ResultLine = z.infer<typeof resultLineSchema>;

const initLine = z.strictObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  schema_version: z.literal(1),
  ...identity,
  cwd: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
  model: z.string(),
  permissionMode: z.string(),
  apiKeySource: z.string(),
  slash_commands: z.array(z.string()),
  agents: z.array(z.string()),
  skills: z.array(z.string()),
  plugins: z.array(z.string()),
  output_style: z.string(),
  llmcode_version: z.string(),
  /** The same again: readers of this kind of stream look for it under this name. */
  claude_code_version: z.string(),
});

const assistantContent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: jsonValueSchema,
  }),
]);

const assistantLine = z.strictObject({
  type: z.literal('assistant'),
  message: z.strictObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(assistantContent),
    stop_reason: z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal']).nullable(),
    stop_sequence: z.null(),
    usage,
  }),
  parent_tool_use_id: z.null(),
  ...identity,
});

const toolResultContent = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
]);

const userLine = z.strictObject({
  type: z.literal('user'),
  message: z.strictObject({
    role: z.literal('user'),
    content: z.array(
      z.strictObject({
        type: z.literal('tool_result'),
        tool_use_id: z.string(),
        content: z.array(toolResultContent),
        is_error: z.boolean(),
      }),
    ),
  }),
  parent_tool_use_id: z.null(),
  tool_use_result: z.strictObject({
    status: z.string(),
    summary: z.string().optional(),
    duration_ms: z.number(),
  }),
  ...identity,
});

const systemLine = z.discriminatedUnion('subtype', [
  initLine,
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    attempt: z.number().int(),
    max_retries: z.number().int(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullable(),
    error: z.string(),
    ...identity,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.strictObject({ trigger: z.enum(['auto', 'manual']), pre_tokens: z.number() }),
    ...identity,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('permission_denied'),
    ...denial.shape,
    ...identity,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('informational'),
    level: z.enum(['info', 'warning', 'error']),
    content: z.string(),
    ...identity,
  }),
  z.strictObject({
    type: z.literal('system'),
    subtype: z.literal('consult'),
    consult: consultPartSchema,
    ...identity,
  }),
]);

export const streamLineSchema = z.union([systemLine, assistantLine, userLine, resultLineSchema]);
export type StreamLine = z.infer<typeof streamLineSchema>;
export type AssistantLine = z.infer<typeof assistantLine>;
export type UserLine = z.infer<typeof userLine>;
