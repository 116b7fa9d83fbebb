import { z } from 'zod';

/** What a person may set about tools; a slice of the whole settings. */
export const toolSettings = z.object({
  web_fetch: z
    .object({
      private_hosts: z
        .array(z.string())
        .default([])
        .describe(
          'hosts (name or name:port) of this machine or network that may be fetched; else only public ones',
        ),
    })
    .prefault({}),
  web_search: z
    .object({
      backends: z
        .array(z.enum(['searxng', 'brave', 'tavily', 'duckduckgo']))
        .default([])
        .describe('who is asked, in this order until one answers; none: the tool is not offered'),
      searxng_url: z.url().optional().describe('address of a SearXNG that answers in JSON'),
      brave_key_env: z.string().default('BRAVE_API_KEY').describe('variable that holds the key'),
      tavily_key_env: z.string().default('TAVILY_API_KEY').describe('variable that holds the key'),
    })
    .prefault({}),
});
export type ToolSettings = z.infer<typeof toolSettings>;
