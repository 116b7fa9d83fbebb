import { z } from 'zod';

/** What a person may set about asking other models; a slice of the whole settings. */
export const agentSettings = z.object({
  consult: z
    .object({
      peers: z.array(z.string()).default([]).describe('models that are asked when all are asked'),
      timeout: z.number().positive().default(1_200).describe('seconds after which a round is given up'),
    })
    .prefault({}),
});
