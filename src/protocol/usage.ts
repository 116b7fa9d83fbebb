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
});
export type UsageTotals = z.infer<typeof usageTotalsSchema>;
