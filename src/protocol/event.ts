import { z } from 'zod';
import {
  consultPartSchema,
  finishReasonSchema,
  messageSchema,
  noticePartSchema,
  reasoningPartSchema,
  textPartSchema,
  toolCallPartSchema,
  toolResultRecordSchema,
} from './message.ts';
import { modelErrorSchema } from './model-error.ts';
import { modelPriceSchema, modelRefSchema } from './model-ref.ts';
import { permissionAnswerSchema, permissionModeSchema, permissionRequestSchema } from './permission.ts';
import { questionAnswerSchema, questionRequestSchema } from './question.ts';
import { changeSetSchema } from './rewind.ts';
import { backgroundShellSchema } from './shells.ts';
import {
  consultRoundSchema,
  pendingInputSchema,
  requestFrameSchema,
  rewoundSchema,
  threadStateSchema,
  trimLevelSchema,
} from './thread-state.ts';
import { todoSchema } from './todo.ts';
import { toolViewSchema } from './tool-view.ts';
import { cacheMissSchema, usageSchema } from './usage.ts';

const base = {
  threadId: z.string(),
  /** The turn it belongs to; null outside a turn. */
  turnId: z.string().nullable(),
  /** Rises by one for each event of a thread, also over a resume; deltas share the number space. */
  seq: z.number().int(),
  /** Milliseconds since 1970. */
  at: z.number(),
};

function event<const Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.object({ ...base, kind: z.literal(kind), ...shape });
}

export const turnEndReasonSchema = z.enum(['done', 'aborted', 'error', 'halted', 'step-limit', 'budget']);
export type TurnEndReason = z.infer<typeof turnEndReasonSchema>;

/**
 * One thing that happened in a thread. JSON-safe: it is also the wire format and the log format.
 * Kinds that end in `-delta` or `-progress` may be merged or dropped for a slow reader; every other kind is
 * delivered, and each `-end` carries the whole part, so that the state is the same without the dropped ones.
 */
export const engineEventSchema = z.discriminatedUnion('kind', [
  /** The first event of every subscription without `sinceSeq`: all that went before. Never logged. */
  event('thread-snapshot', { state: threadStateSchema }),

  event('turn-start', {}),
  event('turn-end', {
    reason: turnEndReasonSchema,
    /** For people: why it ended and what to do, when the reason is not `done`. */
    text: z.string().optional(),
    error: modelErrorSchema.optional(),
    steps: z.number().int(),
    durationMs: z.number(),
    /** What a list of threads shows, so that the end of a log is enough to make its row. */
    tally: z
      .object({
        name: z.string().nullable(),
        messages: z.number().int(),
        /** US dollars of the whole thread, as far as prices are known. */
        costUsd: z.number().optional(),
      })
      .optional(),
  }),

  /** A whole message at once: what a person said, or a notice. */
  event('message-added', { message: messageSchema }),
  /** An assistant message begins; its parts follow. */
  event('message-start', { messageId: z.string(), model: modelRefSchema }),
  event('message-end', {
    messageId: z.string(),
    finish: finishReasonSchema,
    usage: usageSchema.nullable(),
    /** US dollars; null when the price is unknown, 0 when it is free. */
    costUsd: z.number().nullable(),
    cacheMiss: cacheMissSchema.optional(),
  }),
  /** The stream broke before anything was acted on and another answer came: the message and its parts are void. */
  event('message-discarded', { messageId: z.string() }),

  event('text-start', { messageId: z.string(), partId: z.string() }),
  event('text-delta', { messageId: z.string(), partId: z.string(), text: z.string() }),
  event('text-end', { messageId: z.string(), part: textPartSchema }),
  event('reasoning-start', { messageId: z.string(), partId: z.string() }),
  event('reasoning-delta', { messageId: z.string(), partId: z.string(), text: z.string() }),
  event('reasoning-end', { messageId: z.string(), part: reasoningPartSchema }),
  event('tool-call-start', {
    messageId: z.string(),
    partId: z.string(),
    callId: z.string(),
    tool: z.string(),
  }),
  /** Arguments as they stream, raw JSON text. */
  event('tool-call-delta', { messageId: z.string(), partId: z.string(), text: z.string() }),
  event('tool-call-end', { messageId: z.string(), part: toolCallPartSchema }),

  /**
   * A call runs. For a `!` command of the person there is no call part: `messageId` is then the id of the user
   * message (origin `shell`) that follows its `tool-run-end`, and until then `activeRuns[callId].progress`, a
   * `terminal` view from the first moment on, is all there is to show.
   */
  event('tool-run-start', { messageId: z.string(), callId: z.string() }),
  event('tool-run-progress', { messageId: z.string(), callId: z.string(), view: toolViewSchema }),
  event('tool-run-end', { messageId: z.string(), callId: z.string(), result: toolResultRecordSchema }),

  event('permission-request', { request: permissionRequestSchema }),
  /** `answer` null: the question was taken back because the turn ended or the call was decided otherwise. */
  event('permission-response', { requestId: z.string(), answer: permissionAnswerSchema.nullable() }),
  event('question-request', { request: questionRequestSchema }),
  event('question-response', { requestId: z.string(), answer: questionAnswerSchema }),

  event('pending-changed', { pending: z.array(pendingInputSchema) }),
  event('todos-changed', { todos: z.array(todoSchema) }),
  /** All of the model's working notes; '' = none. */
  event('notes-changed', { notes: z.string() }),
  /** All commands in the background, also those that ended a while ago. */
  event('shells-changed', { shells: z.array(backgroundShellSchema) }),
  /** One of them has said something. */
  event('shell-progress', { id: z.string(), lines: z.number().int(), tail: z.string() }),
  /** Files are not what they were: a call changed them, or changes were turned back. */
  event('files-changed', { set: changeSetSchema }),
  /** The conversation goes on from before this message of the person, as if it and what followed were never said. */
  event('thread-rewound', { promptId: z.string(), rewound: rewoundSchema }),
  event('mode-changed', { mode: permissionModeSchema }),
  event('model-switched', {
    model: modelRefSchema,
    contextWindow: z.number(),
    price: modelPriceSchema.optional(),
    /** It was not chosen: it stands in for one that failed, or that one is back. */
    reason: z.enum(['fallback', 'return']).optional(),
    from: modelRefSchema.optional(),
  }),
  event('thread-renamed', { name: z.string() }),
  /** The person named this point of the log. */
  event('checkpoint-saved', { name: z.string() }),
  /** Summarising began; `compaction-end` follows, with `thread-compacted` before it when it worked. */
  event('compaction-start', { automatic: z.boolean() }),
  event('compaction-end', {
    /** What the summary cost, also when it was of no use; absent when no model was asked. */
    usage: usageSchema.nullable().optional(),
    costUsd: z.number().nullable().optional(),
    /** Which model was asked. */
    model: modelRefSchema.optional(),
  }),
  /** History before `keptFrom` is replaced for the model by `summary`; people still see all of it. */
  event('thread-compacted', {
    summary: z.string(),
    /** Id of the first message that is still sent as it is; null = none. */
    keptFrom: z.string().nullable(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    /** What the model does not get any more as it was. */
    dropped: z
      .object({ messages: z.number().int(), results: z.number().int(), files: z.number().int() })
      .optional(),
    scale: z.number().nullable().optional(),
  }),
  /** Old tool results go to the model in a shorter form from here on; people still see all of them. */
  event('history-trimmed', {
    trims: z.array(z.object({ callId: z.string(), level: trimLevelSchema })),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    scale: z.number().nullable().optional(),
  }),
  /** The person took the last rewrite of the history back: the model gets again what it got before it. */
  event('compaction-undone', { tokensBefore: z.number(), tokensAfter: z.number() }),
  /** How large the fixed part of a request is; when it changes. */
  event('frame-measured', { frame: requestFrameSchema }),
  /** A failed model call is tried again at `until` (milliseconds since 1970). */
  event('retry-wait', {
    attempt: z.number().int(),
    maxAttempts: z.number().int(),
    until: z.number(),
    error: modelErrorSchema,
  }),
  event('retry-end', {}),
  event('notice-added', { notice: noticePartSchema }),
  /** A round with a peer began beside this thread; `consult-end` with the same id follows, also after a crash. */
  event('consult-start', { consult: consultRoundSchema }),
  event('consult-end', { part: consultPartSchema }),
]);
export type EngineEvent = z.infer<typeof engineEventSchema>;
export type EngineEventKind = EngineEvent['kind'];

/** The event without what the engine stamps on it. */
export type EventBody = EngineEvent extends infer E
  ? E extends EngineEvent
    ? Omit<E, 'threadId' | 'turnId' | 'seq' | 'at'>
    : never
  : never;
