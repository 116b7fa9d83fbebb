import { z } from 'zod';

const serverSchema = z.strictObject({
  command: z.string().min(1).optional().describe('program: a name on PATH, or an absolute path'),
  args: z.array(z.string()).optional(),
  languages: z.array(z.string().min(1)).optional().describe('language ids, e.g. python'),
  extensions: z.array(z.string().min(1)).optional().describe('further file endings, e.g. .pyx'),
  disabled: z.boolean().default(false),
  initialization_options: z.record(z.string(), z.json()).optional(),
});

/** What a person may set about language servers and formatters; a slice of the whole settings. */
export const lspSettings = z.object({
  lsp: z
    .object({
      enabled: z.boolean().default(true).describe('false: no language server is ever started'),
      diagnostics_after_write: z
        .enum(['off', 'running', 'start'])
        .default('running')
        .describe(
          'errors that are new after a write are told to the model: by a server that runs, or starting one in a trusted folder',
        ),
      idle_minutes: z.number().positive().default(10).describe('a server that nobody asks ends after this'),
      servers: z.record(z.string(), serverSchema).default({}).describe('language servers, by name'),
    })
    .prefault({}),
  formatters: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe('file pattern -> command with {path}, run after the model wrote such a file'),
});
export type LspSettings = z.infer<typeof lspSettings>;
