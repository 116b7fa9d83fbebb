import { z } from 'zod';
import { type DecodedText, encodeText } from '#lib/text-file.ts';

const sourceSchema = z.union([z.string(), z.array(z.string())]);

const outputSchema = z.looseObject({
  output_type: z.string(),
  text: sourceSchema.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
});
export type NotebookOutput = z.infer<typeof outputSchema>;

const cellSchema = z.looseObject({
  cell_type: z.enum(['code', 'markdown', 'raw']),
  id: z.string().optional(),
  source: sourceSchema,
  outputs: z.array(outputSchema).optional(),
  execution_count: z.number().nullish(),
});
export type NotebookCell = z.infer<typeof cellSchema>;

const notebookSchema = z.looseObject({
  nbformat: z.number().min(4),
  nbformat_minor: z.number(),
  cells: z.array(cellSchema),
});
export type Notebook = z.infer<typeof notebookSchema>;

/** A notebook in the form of its file, with what is needed to write it back alike. */
export type NotebookFile = { notebook: Notebook; encode(changed: Notebook): { text: string; bytes: Buffer } };

/** A string is why it cannot be read. Keys keep their order: what is not changed is written as it was. */
export function parseNotebook(decoded: DecodedText): NotebookFile | string {
  if (decoded.kind !== 'text') return 'it is no text';
  const { text, format } = decoded;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const parsed = notebookSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `it is no notebook of format 4 (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`;
  }
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n') ? ' ' : '');
  const end = /\s*$/.exec(text)?.[0] ?? '';
  return {
    // The parsed value has the known keys first; the file's own has its order.
    notebook: json as Notebook,
    encode(changed) {
      const plain = JSON.stringify(changed, null, indent);
      const written = (format.eol === '\r\n' ? plain.replaceAll('\n', '\r\n') : plain) + end;
      return { text: written, bytes: encodeText(written, format) ?? Buffer.from(written) };
    },
  };
}

export function joinedSource(source: string | readonly string[]): string {
  return typeof source === 'string' ? source : source.join('');
}

/** In the form that the cell, or another one of the notebook, has. */
export function sourceLike(
  text: string,
  example: NotebookCell['source'] | undefined,
): NotebookCell['source'] {
  if (typeof example === 'string') return text;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Cells have ids from 4.5 on. */
export function hasIds({ nbformat, nbformat_minor }: Notebook): boolean {
  return nbformat > 4 || nbformat_minor >= 5;
}

/** By its id, or by its number from 0. */
export function cellIndex({ cells }: Notebook, cell: string): number {
  const byId = cells.findIndex(({ id }) => id === cell);
  if (byId !== -1) return byId;
  const index = /^\d+$/.test(cell) ? Number(cell) : -1;
  return index < cells.length ? index : -1;
}
