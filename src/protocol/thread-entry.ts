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
  /** The transcript of another agent that it was made from. */
  importedFrom: z.object({ agent: z.string(), file: z.string(), id: z.string().optional() }).optional(),
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
  /** Bytes of its log. */
  bytes?: number;
  /** US dollars; absent when the log does not say. */
  costUsd?: number;
  /** Out of sight, and never deleted by itself. */
  isArchived?: boolean;
  /** The thread that it is a copy of. */
  forkedFrom?: string;
  /** The agent whose transcript it was made from. */
  importedFrom?: string;
};

/** A place in a thread where words that were looked for stand. */
export type ThreadHit = {
  threadId: string;
  kind: 'prompt' | 'answer' | 'reasoning' | 'call' | 'output' | 'note';
  /** '' = in no message. */
  messageId: string;
  /** What stands around the words, on one line. Of a model or a tool: to be cleaned before it is shown. */
  excerpt: string;
};

/** What a list shows of a thread beside its row: how it began and where it stands. */
export type ThreadPreview = {
  first: readonly ThreadLine[];
  last: readonly ThreadLine[];
};
export type ThreadLine = { messageId: string; who: 'you' | 'model'; text: string };

/** A thread in which words that were looked for were said. */
export type FoundThread = { thread: ThreadSummary; hits: readonly ThreadHit[] };
