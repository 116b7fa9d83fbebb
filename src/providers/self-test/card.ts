import { z } from 'zod';
import type { Capability } from '../capabilities/capability-store.ts';

/**
 * How a check went. `ignored`: the server took the request and the model went on as if that part of it were not there.
 * `wrong`: it came, but not as asked for. `unknown`: there was no telling, e.g. because it took too long.
 */
const outcomeSchema = z.enum(['works', 'refused', 'ignored', 'wrong', 'unknown']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** `cut`: the server dropped part of a long prompt without a word. `refused`: it said that it is too long. */
const longPromptSchema = z.object({
  outcome: z.enum(['whole', 'cut', 'refused', 'unknown']),
  /** Tokens that were sent, about; and those that the server counted. */
  sent: z.number(),
  counted: z.number().nullable(),
});
export type LongPrompt = z.infer<typeof longPromptSchema>;

/** What a short test found out about one model on one server. */
export const capabilityCardSchema = z.object({
  /** Milliseconds since 1970. */
  testedAt: z.number(),
  durationMs: z.number(),
  /** Why it cannot be used at all; the other values say nothing then. */
  failure: z.string().optional(),
  answer: outcomeSchema,
  /** Milliseconds to the first word; null when there was none. */
  firstTokenMs: z.number().nullable(),
  /** null when the server counts no tokens or answers all at once. */
  tokensPerSecond: z.number().nullable(),
  nativeTools: outcomeSchema,
  textTools: outcomeSchema,
  json: outcomeSchema,
  images: outcomeSchema,
  longPrompt: longPromptSchema,
  /** How its tools are called from now on, where nothing is set. */
  toolCalling: z.enum(['native', 'text', 'none']),
  /** US dollars; null when the price is unknown. */
  costUsd: z.number().nullable(),
});
export type CapabilityCard = z.infer<typeof capabilityCardSchema>;

/** The card that a test left; undefined when there was none, or it is of another version. */
export function cardOf(capability: Capability | undefined): CapabilityCard | undefined {
  const card = capabilityCardSchema.safeParse(capability?.['card']);
  return card.success ? card.data : undefined;
}

/** What one should know before choosing the model, in a few words. */
export function cardHint(card: CapabilityCard): string {
  if (card.failure !== undefined) return 'tested: does not answer';
  const { tokensPerSecond, longPrompt } = card;
  const tools = { native: 'calls tools', text: 'calls tools by text', none: 'cannot call tools' };
  return [
    `tested: ${tools[card.toolCalling]}`,
    ...(tokensPerSecond === null ? [] : [`${Math.round(tokensPerSecond)} tokens/s`]),
    ...(longPrompt.outcome === 'cut' ? ['cuts long prompts'] : []),
  ].join(', ');
}
