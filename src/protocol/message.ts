import { z } from 'zod';
import { type JsonValue, jsonValueSchema } from './json.ts';
import { modelRefSchema } from './model-ref.ts';
import { toolViewSchema } from './tool-view.ts';
import { usageSchema } from './usage.ts';

/**
 * Vendor data that must go back byte for byte (signatures, encrypted reasoning, item ids),
 * and only to the family that made it.
 */
export const privateDataSchema = z.object({ family: z.string(), data: jsonValueSchema });
export type PrivateData = { family: string; data: JsonValue };

const partBase = { id: z.string() };

export const textPartSchema = z.object({
  ...partBase,
  kind: z.literal('text'),
  text: z.string(),
  private: privateDataSchema.optional(),
});
export const reasoningPartSchema = z.object({
  ...partBase,
  kind: z.literal('reasoning'),
  text: z.string(),
  durationMs: z.number().optional(),
  private: privateDataSchema.optional(),
});
/**
 * An image lies inline (base64) or, once logged, as a file beside the thread's log; `path` is then relative to
 * the thread's own files folder. A model call always gets it inline.
 */
export const imagePartSchema = z.object({
  ...partBase,
  kind: z.literal('image'),
  mediaType: z.string(),
  name: z.string().optional(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('inline'), base64: z.string() }),
    z.object({ kind: z.literal('file'), path: z.string() }),
  ]),
});
/** For people; never sent to a model. */
export const noticePartSchema = z.object({
  ...partBase,
  kind: z.literal('notice'),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
});

/** How a round with a peer ended. `unknown`: the program that ran it ended first; the peer may be one round ahead. */
export const consultStatusSchema = z.enum(['answered', 'failed', 'stopped', 'unknown']);
/**
 * What a peer (another model or agent) said when the person asked it, in its own words. For people; never sent to
 * a model. Its own thread holds all of it.
 */
export const consultPartSchema = z.object({
  ...partBase,
  kind: z.literal('consult'),
  /** Who was asked; of a model its reference. */
  peer: z.string(),
  /** The model that answered, where that is known. */
  model: modelRefSchema.nullable(),
  /** Name of the peer's thread. */
  thread: z.string(),
  round: z.number().int(),
  /** The first words of what was asked. */
  question: z.string(),
  status: consultStatusSchema,
  text: z.string(),
  usage: usageSchema.nullable(),
  /** US dollars; null when the price is unknown, 0 when it is free. */
  costUsd: z.number().nullable(),
  durationMs: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const toolContentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  imagePartSchema.omit({ id: true }),
]);
export type ToolContent = z.infer<typeof toolContentSchema>;

export const toolStatusSchema = z.enum(['ok', 'error', 'denied', 'aborted']);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

/** State of one file as the model last saw or wrote it: SHA-256 of its bytes, null when it was removed. */
export const fileStateSchema = z.object({ path: z.string(), sha256: z.string().nullable() });
export type FileState = z.infer<typeof fileStateSchema>;

/** What a tool gives back. `forModel` goes to the model, `view` to the screen, `summary` is one short line. */
export const toolResultSchema = z.object({
  status: toolStatusSchema,
  /** Why it failed, as a stable word for scripts, e.g. `not_unique`. */
  code: z.string().optional(),
  forModel: z.array(toolContentSchema),
  view: toolViewSchema.optional(),
  summary: z.string().optional(),
  /** Files read or written by this call; they feed the read-before-edit rule, also after a resume. */
  fileStates: z.array(fileStateSchema).optional(),
  /** Names of tools that the model is offered from now on. */
  offers: z.array(z.string()).optional(),
  /** US dollars of a peer that this call asked; null when its price is unknown, 0 when it is free. */
  peerCostUsd: z.number().nullable().optional(),
});
export type ToolResult = z.infer<typeof toolResultSchema>;

/** A tool result as it stands in a conversation: exactly one for each call. */
export const toolResultRecordSchema = toolResultSchema.extend({ durationMs: z.number() });
export type ToolResultRecord = z.infer<typeof toolResultRecordSchema>;

export const toolCallPartSchema = z.object({
  ...partBase,
  kind: z.literal('tool-call'),
  /** Unique in the thread and made by us; what the vendor called it is `vendorCallId`. */
  callId: z.string(),
  vendorCallId: z.string().optional(),
  tool: z.string(),
  input: jsonValueSchema,
  /** The arguments as they came, when they were no JSON object; such a call is answered with an error. */
  rawInput: z.string().optional(),
  private: privateDataSchema.optional(),
  /** Short text for the screen, made by the tool from its input. */
  title: z.string().optional(),
  result: toolResultRecordSchema.optional(),
});

export const messagePartSchema = z.discriminatedUnion('kind', [
  textPartSchema,
  reasoningPartSchema,
  imagePartSchema,
  noticePartSchema,
  consultPartSchema,
  toolCallPartSchema,
]);
export type TextPart = z.infer<typeof textPartSchema>;
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;
export type ImagePart = z.infer<typeof imagePartSchema>;
export type NoticePart = z.infer<typeof noticePartSchema>;
export type ConsultPart = z.infer<typeof consultPartSchema>;
export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
export type MessagePart = z.infer<typeof messagePartSchema>;

/** Why a message ended. `length`: the output limit cut it. `aborted`: the person stopped it. `lost`: the stream broke. */
export const finishReasonSchema = z.enum([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'aborted',
  'lost',
  'error',
  'other',
]);
export type FinishReason = z.infer<typeof finishReasonSchema>;

/**
 * One entry of a conversation. Tool results stand inside their call part, so a call and its result cannot
 * come apart; providers make their own tool messages from them. A `notice` message is for people only.
 */
export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'notice']),
  parts: z.array(messagePartSchema),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** Who caused a user message: typed, typed while a turn ran, a `!` command, or the engine itself. */
  origin: z.enum(['person', 'steer', 'shell', 'engine']).optional(),
  model: modelRefSchema.optional(),
  finish: finishReasonSchema.optional(),
  usage: usageSchema.optional(),
});
export type Message = z.infer<typeof messageSchema>;
