import { z } from 'zod';
import { imagePartSchema, messageSchema } from './message.ts';
import { modelErrorSchema } from './model-error.ts';
import { modelRefSchema } from './model-ref.ts';
import { permissionModeSchema, permissionRequestSchema } from './permission.ts';
import { questionRequestSchema } from './question.ts';
import { todoSchema } from './todo.ts';
import { toolViewSchema } from './tool-view.ts';
import { usageTotalsSchema } from './usage.ts';

/**
 * A message that waits: `steer` goes in between two tool calls, `queue` after the turn. After an interrupt or a
 * failed turn it goes on waiting, until the person sends the next prompt (an empty one will do) or `continue`.
 */
export const pendingInputSchema = z.object({
  id: z.string(),
  text: z.string(),
  delivery: z.enum(['steer', 'queue']),
  images: z.number().int(),
  /** The images themselves, so that a message that waits survives a crash. */
  imageParts: z.array(imagePartSchema).optional(),
});
export type PendingInput = z.infer<typeof pendingInputSchema>;

/** A tool call that runs now; lives only until its result is in the call part. */
export const activeRunSchema = z.object({ startedAt: z.number(), progress: toolViewSchema.optional() });
export type ActiveRun = z.infer<typeof activeRunSchema>;

export const retryStateSchema = z.object({
  attempt: z.number().int(),
  maxAttempts: z.number().int(),
  until: z.number(),
  error: modelErrorSchema,
});

/** `messagesBefore`: how many messages there were; with `keptFrom` null only what came after them is sent. */
export const compactionSchema = z.object({
  summary: z.string(),
  keptFrom: z.string().nullable(),
  messagesBefore: z.number().int().optional(),
});

/**
 * All that a client needs to show a thread, and all that a resume needs to go on: the fold of its events
 * (`applyEvent`). Plain data, structurally shared from one state to the next.
 */
export const threadStateSchema = z.object({
  threadId: z.string(),
  name: z.string().nullable(),
  cwd: z.string(),
  model: modelRefSchema.nullable(),
  contextWindow: z.number().nullable(),
  mode: permissionModeSchema,
  /** Every finished message, oldest first. Tool results stand in their call parts. */
  messages: z.array(messageSchema),
  /** The assistant message that streams now; deltas touch nothing else. */
  live: messageSchema.nullable(),
  activeRuns: z.record(z.string(), activeRunSchema),
  turnId: z.string().nullable(),
  turnStartedAt: z.number().nullable(),
  lastTurnEnd: z.object({ reason: z.string(), text: z.string().optional() }).nullable(),
  permissions: z.array(permissionRequestSchema),
  questions: z.array(questionRequestSchema),
  pending: z.array(pendingInputSchema),
  todos: z.array(todoSchema),
  totals: usageTotalsSchema,
  /** Tokens in the window as the last call reported them: its input and its output. */
  contextTokens: z.number().nullable(),
  compaction: compactionSchema.nullable(),
  isCompacting: z.boolean(),
  retry: retryStateSchema.nullable(),
  /** The `seq` of the last event that went in. */
  seq: z.number().int(),
});
export type ThreadState = z.infer<typeof threadStateSchema>;
