import { z } from 'zod';
import { consultPartSchema, imagePartSchema } from './message.ts';
import { modelRefSchema } from './model-ref.ts';
import { permissionAnswerSchema, permissionModeSchema } from './permission.ts';
import { questionAnswerSchema } from './question.ts';
import { editedSchema } from './rewind.ts';
import { consultRoundSchema } from './thread-state.ts';

/** One thing that a client may ask of a thread. */
export const userActionSchema = z.discriminatedUnion('kind', [
  /**
   * What the person says. While a turn runs, `steer` delivers it between two tool calls and `queue` after the
   * turn; in an idle thread both start a turn, after what still waits. An empty one only sends what waits.
   */
  z.object({
    kind: z.literal('prompt'),
    text: z.string(),
    images: z.array(imagePartSchema),
    delivery: z.enum(['steer', 'queue']),
  }),
  /** Goes on after a step limit, an error or an interrupt, without a new message. */
  z.object({ kind: z.literal('continue') }),
  /**
   * Stops the running turn, a waiting retry, a compaction or a `!` command. Without any, nothing happens.
   * Messages that wait go on waiting.
   */
  z.object({ kind: z.literal('interrupt') }),
  /** Takes back a message that still waits. */
  z.object({ kind: z.literal('take-back'), pendingId: z.string() }),
  z.object({ kind: z.literal('answer-permission'), requestId: z.string(), answer: permissionAnswerSchema }),
  z.object({ kind: z.literal('answer-question'), requestId: z.string(), answer: questionAnswerSchema }),
  /** Takes effect before the next model call; with `compactFirst` once the present model has summarised history. */
  z.object({
    kind: z.literal('switch-model'),
    model: modelRefSchema,
    compactFirst: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('set-mode'), mode: permissionModeSchema }),
  /**
   * The person runs a command (`!`) with their own authority: nothing is asked. Command and output become one
   * user message of origin `shell` when it has ended (`<shell-command>`, `<shell-output exit="0">`), which the
   * model reads at its next call. Prompts wait for it. How it looks while it runs: see `tool-run-start`.
   */
  z.object({ kind: z.literal('shell'), command: z.string() }),
  /** A running command goes on in the background: that of a call, or the newest. The call then has its result. */
  z.object({ kind: z.literal('background-run'), callId: z.string().optional() }),
  /** `keep`: it goes on when llmcode ends. `look`: how those are doing that an earlier session kept. */
  z.object({ kind: z.literal('shell-task'), verb: z.enum(['kill', 'keep']), shellId: z.string() }),
  z.object({ kind: z.literal('look-at-shells') }),
  z.object({ kind: z.literal('compact'), focus: z.string().optional() }),
  /** Takes back the last compaction, when what was dropped still fits. */
  z.object({ kind: z.literal('undo-compaction') }),
  z.object({ kind: z.literal('rename'), name: z.string() }),
  /** Names the point that the thread is at, to go on from it later. */
  z.object({ kind: z.literal('save-checkpoint'), name: z.string() }),
  /**
   * Turns files back to what they were before the last `prompts` prompts that changed any. Files that somebody else
   * changed meanwhile are left alone unless `edited` says otherwise.
   */
  z.object({ kind: z.literal('undo-changes'), prompts: z.number().int().positive(), edited: editedSchema }),
  /** Takes the last `undo-changes` or `rewind` back. */
  z.object({ kind: z.literal('redo-changes'), edited: editedSchema }),
  /** Goes back to before a message of the person: its files, its conversation, or both. */
  z.object({
    kind: z.literal('rewind'),
    promptId: z.string(),
    what: z.enum(['code', 'conversation', 'both']),
    edited: editedSchema,
    /** Only these files, by their absolute paths. */
    only: z.array(z.string()).optional(),
  }),
  /**
   * A round with a peer runs beside this thread, in a thread of its own; this one keeps that it runs and then, as
   * an attributed block, how it ended. The running turn goes on meanwhile and `interrupt` leaves the round alone.
   */
  z.object({ kind: z.literal('consult-started'), consult: consultRoundSchema }),
  z.object({ kind: z.literal('consult-ended'), part: consultPartSchema }),
]);
export type UserAction = z.infer<typeof userActionSchema>;
