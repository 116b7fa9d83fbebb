import { z } from 'zod';

/**
 * Tokens of one model call. `input` includes cache reads and writes; `output` includes `reasoning`.
 * A null field was not reported.
 */
export const usageSchema = z.object({
  input: z.number().nullable(),
  output: z.number().nullable(),
  cacheRead: z.number().nullable(),
  cacheWrite: z.number().nullable(),
  reasoning: z.number().nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Running sums of a thread. `costUsd` counts what has a known price; `unpriced` says that some calls had none. */
export const usageTotalsSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number(),
  steps: z.number(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  /** Input of the calls whose cache reads were reported: what `cacheRead` is a share of. */
  cacheInput: z.number().optional(),
  /** What peers cost that were asked from the thread; none of it is in the sums above. */
  peers: z.object({ rounds: z.number().int(), costUsd: z.number(), unpriced: z.boolean() }).optional(),
});
export type UsageTotals = z.infer<typeof usageTotalsSchema>;

/** Why a provider read again what it had in its cache, by what differs from the request before. */
export const cacheMissReasonSchema = z.enum([
  'model-switched',
  'resumed',
  'system-changed',
  'tools-changed',
  'compacted',
  'trimmed',
  'history-changed',
  'expired',
  'unknown',
]);
export type CacheMissReason = z.infer<typeof cacheMissReasonSchema>;

/** `tokens`: what was read at the full price although it, or the same of another model, was read before. */
export const cacheMissSchema = z.object({ reason: cacheMissReasonSchema, tokens: z.number() });
export type CacheMiss = z.infer<typeof cacheMissSchema>;
