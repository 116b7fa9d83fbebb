import { z } from 'zod';

/** What a screen may draw for a tool. A closed set: a new tool needs no UI code. All text is untrusted. */
export const diffLineSchema = z.object({ op: z.enum([' ', '+', '-']), text: z.string() });
export const diffHunkSchema = z.object({
  oldStart: z.number().int(),
  newStart: z.number().int(),
  lines: z.array(diffLineSchema),
});
export type DiffLine = z.infer<typeof diffLineSchema>;
export type DiffHunk = z.infer<typeof diffHunkSchema>;

const diffViewSchema = z.object({
  kind: z.literal('diff'),
  path: z.string(),
  change: z.enum(['create', 'modify', 'delete']),
  hunks: z.array(diffHunkSchema),
  added: z.number().int(),
  removed: z.number().int(),
  /** Lines of the diff that are not in `hunks` because it was cut. */
  omittedLines: z.number().int().optional(),
});

export const toolViewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('markdown'), text: z.string() }),
  diffViewSchema,
  /** Changes of several files by one call. */
  z.object({ kind: z.literal('diffs'), files: z.array(diffViewSchema) }),
  z.object({
    kind: z.literal('files'),
    files: z.array(z.object({ path: z.string(), detail: z.string().optional() })),
    total: z.number().int(),
  }),
  z.object({ kind: z.literal('table'), columns: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  z.object({
    kind: z.literal('terminal'),
    command: z.string(),
    /** The newest output, bounded; the whole is in `outputPath` when `omittedLines` is not 0. */
    output: z.string(),
    omittedLines: z.number().int(),
    outputPath: z.string().optional(),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    running: z.boolean(),
  }),
  z.object({ kind: z.literal('image'), mediaType: z.string(), path: z.string(), bytes: z.number().int() }),
]);
export type ToolView = z.infer<typeof toolViewSchema>;
export type DiffView = z.infer<typeof diffViewSchema>;
export type TerminalView = Extract<ToolView, { kind: 'terminal' }>;
