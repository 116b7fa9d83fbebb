import { z } from 'zod';

const dollars = z.number().positive();
const budgets = z.strictObject({
  run: dollars.optional().describe('from the start of the program to its end'),
  thread: dollars.optional().describe('for all that one thread has cost, also before'),
  day: dollars.optional().describe('for all sessions together, by the local date'),
});

/** What a person may set about turns and context; a slice of the whole settings. */
export const engineSettings = z.object({
  max_steps: z.number().int().min(1).default(200).describe('model calls in one turn before it pauses'),
  max_budget_usd: z
    .union([dollars, budgets])
    .transform((budget) => (typeof budget === 'number' ? { run: budget } : budget))
    .optional()
    .describe(
      'US dollars that a run may cost, or limits for run, thread and day; the call that would pass one is not made',
    ),
  hida: z
    .object({
      enabled: z
        .boolean()
        .default(false)
        .describe(
          'look at what a request is about, and let only the tools of that stand ready from the start',
        ),
      confidence_threshold: z
        .number()
        .min(0)
        .max(1)
        .default(0.6)
        .describe(
          'share of the telling words that must speak for one kind of task; below it everything is loaded',
        ),
    })
    .prefault({})
    .describe(
      'which tools stand ready for a request; none is ever taken away, the others are one search away',
    ),
  compact_at: z
    .number()
    .min(0.2)
    .max(1)
    .default(0.85)
    .describe(
      'share of the usable context window at which old tool results are shortened and history is summarised',
    ),
  max_result_chars: z
    .number()
    .int()
    .min(1_000)
    .default(30_000)
    .describe('characters of one tool result that the model gets; the rest stays in a file'),
  tool_timeout: z
    .number()
    .positive()
    .default(900)
    .describe('seconds after which any tool call is stopped, whatever limit it has itself'),
});
export type EngineSettings = z.infer<typeof engineSettings>;
