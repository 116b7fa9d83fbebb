import { z } from 'zod';
import { imagePartSchema, messageSchema } from './message.ts';
import { modelErrorSchema } from './model-error.ts';
import { modelPriceSchema, modelRefSchema } from './model-ref.ts';
import { permissionModeSchema, permissionRequestSchema } from './permission.ts';
import { questionRequestSchema } from './question.ts';
import { keptChangeSetSchema } from './rewind.ts';
import { backgroundShellSchema } from './shells.ts';
import { todoSchema } from './todo.ts';
import { toolViewSchema } from './tool-view.ts';
import { cacheMissSchema, usageTotalsSchema } from './usage.ts';

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

/** A round with a peer, in its own thread (`thread` is its name), that the person asked for from this one. */
export const consultRoundSchema = z.object({
  id: z.string(),
  peer: z.string(),
  thread: z.string(),
  round: z.number().int(),
  /** The first words of what was asked. */
  question: z.string(),
});

/** A round that runs now. */
export const activeConsultSchema = consultRoundSchema.extend({ startedAt: z.number() });
export type ActiveConsult = z.infer<typeof activeConsultSchema>;

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
 * How much of an old tool result the model still gets: its beginning and end, or only a line that says why it is not
 * there. `superseded`: a file that was read or changed again later.
 */
export const trimLevelSchema = z.enum(['preview', 'superseded', 'gone']);
export type TrimLevel = z.infer<typeof trimLevelSchema>;

/** What the model gets of the history, beside the messages themselves. `trims`: by call id. */
const historyViewSchema = z.object({
  compaction: compactionSchema.nullable(),
  trims: z.record(z.string(), trimLevelSchema),
});
export type HistoryView = z.infer<typeof historyViewSchema>;

/** The last time that the history was rewritten for the model. */
const rewriteSchema = z.object({
  /** How many messages there were. */
  at: z.number().int(),
  /** Real tokens for one estimated, as it was then; null = not known. */
  scale: z.number().nullable(),
  /** What an undo brings back; null = the person did that. */
  former: historyViewSchema.nullable(),
});

/** Plain estimates of what every request carries, and what the model's window leaves for a request. */
export const requestFrameSchema = z.object({
  system: z.number(),
  instructions: z.number(),
  tools: z.number(),
  /** Tools that come with the first rewrite of the history. */
  laterTools: z.number(),
  usable: z.number(),
});
export type RequestFrame = z.infer<typeof requestFrameSchema>;

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
  /** The chosen model, while `model` answers in its place because it failed. */
  standsInFor: modelRefSchema.optional(),
  /** What the model costs; undefined in threads whose log does not say. */
  modelPrice: modelPriceSchema.optional(),
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
  /** What the model keeps in mind for this thread; undefined or '' = nothing. */
  notes: z.string().optional(),
  consults: z.array(activeConsultSchema),
  /** Commands in the background; undefined when there was never one. */
  shells: z.array(backgroundShellSchema).optional(),
  /** Points that the person named, oldest first; undefined when there was never one. `seq`: of the last event before. */
  checkpoints: z.array(z.object({ name: z.string(), at: z.number(), seq: z.number().int() })).optional(),
  /** What calls changed in files, oldest first; undefined when nothing was changed yet. */
  changes: z.array(keptChangeSetSchema).optional(),
  totals: usageTotalsSchema,
  /** By `provider/model`, the effort left out. */
  totalsByModel: z.record(z.string(), usageTotalsSchema).optional(),
  /** The newest turns, oldest first. */
  turnTotals: z.array(z.object({ turnId: z.string(), at: z.number(), totals: usageTotalsSchema })).optional(),
  /** The newest ones, oldest first. */
  cacheMisses: z.array(cacheMissSchema.extend({ model: z.string(), at: z.number() })).optional(),
  /** Tokens in the window as the last call reported them: its input and its output. */
  contextTokens: z.number().nullable(),
  compaction: compactionSchema.nullable(),
  /** Tool results that the model gets in a shorter form, by call id. */
  trims: z.record(z.string(), trimLevelSchema),
  rewrite: rewriteSchema.nullable(),
  /** null until a model was opened. */
  frame: requestFrameSchema.nullable(),
  isCompacting: z.boolean(),
  retry: retryStateSchema.nullable(),
  /** The `seq` of the last event that went in. */
  seq: z.number().int(),
});
export type ThreadState = z.infer<typeof threadStateSchema>;

/** What a thread had at an earlier point, beside its messages. */
export const rewoundSchema = threadStateSchema.pick({
  todos: true,
  notes: true,
  compaction: true,
  trims: true,
  rewrite: true,
  contextTokens: true,
});
