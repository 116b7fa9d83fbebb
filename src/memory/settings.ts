import { z } from 'zod';

export const memorySettings = z.object({
  memory: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          'remember facts of a project for later sessions (memory_* tools, /memory, a line that begins with # )',
        ),
      consolidate: z
        .enum(['auto', 'on', 'off'])
        .default('auto')
        .describe(
          'after a session of three prompts or more, a helper process notes what it taught; auto = with a model that costs nothing, or that of model_routing.memory',
        ),
    })
    .prefault({})
    .describe('what is remembered of a project'),
});
