import { z } from 'zod';
import { engineEventSchema } from './event.ts';

/** First line of a thread's log. */
export const threadHeaderSchema = z.object({
  type: z.literal('thread'),
  /** Version of the log format. */
  version: z.literal(1),
  threadId: z.string(),
  cwd: z.string(),
  createdAt: z.number(),
  llmcodeVersion: z.string(),
  /** The thread that this one was forked from, and the last event that it shares. */
  forkedFrom: z.object({ threadId: z.string(), seq: z.number().int() }).optional(),
  /** Absent = a thread of the person. `consult`: questions to the peer that `peer` names, and its answers. */
  purpose: z.literal('consult').optional(),
  peer: z.string().optional(),
});
export type ThreadHeader = z.infer<typeof threadHeaderSchema>;

/** A log line: the header once, then the events that are no deltas. */
export const threadEntrySchema = z.union([threadHeaderSchema, engineEventSchema]);
export type ThreadEntry = z.infer<typeof threadEntrySchema>;

/** A thread in a list, without its messages. */
export type ThreadSummary = {
  threadId: string;
  name: string | null;
  cwd: string;
  /** First words of the first prompt. */
  title: string;
  createdAt: number;
  updatedAt: number;
  messages: number;
  model: string | null;
  kind?: 'consult';
  /** Who answers in a consult thread. */
  peer?: string;
};
