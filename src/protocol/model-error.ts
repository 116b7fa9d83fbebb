import { z } from 'zod';

/**
 * A failed model call. Exactly one class for each failure; `retryable` says that sending the same request again
 * can help, and never stands with `auth`, `permission`, `not-found`, `quota` or `bad-request`.
 */
export const modelErrorSchema = z.object({
  class: z.enum([
    'auth',
    'permission',
    'not-found',
    'rate-limit',
    'quota',
    'overloaded',
    'server',
    'timeout',
    'network',
    'overflow',
    'too-large',
    'tools-unsupported',
    'tool-use-failed',
    'content-filter',
    'bad-request',
    'bad-response',
  ]),
  retryable: z.boolean(),
  /** One sentence: what failed, on what. */
  message: z.string(),
  /** One sentence: what to do about it. */
  advice: z.string(),
  endpoint: z.string().optional(),
  status: z.number().optional(),
  /** Milliseconds that the server asked to wait. */
  retryAfterMs: z.number().optional(),
  /** It came inside an answer that had begun. */
  midStream: z.boolean().optional(),
});
export type ModelError = z.infer<typeof modelErrorSchema>;
