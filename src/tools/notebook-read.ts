import { z } from 'zod';
import { hashBytes } from '#lib/file-hash.ts';
import { displayPath, realPathOf } from '#lib/paths.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { decodeText } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { notText } from './files/not-text.ts';
import { cellIndex, parseNotebook } from './files/notebook.ts';
import { notebookCells } from './files/notebook-cells.ts';
import { problemResult } from './files/problem-result.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import prose from './notebook-read.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';

type Input = { path: string; cell?: string | undefined };

const maxBytes = 50_000_000;

export const notebookRead = defineTool<Input>({
  name: 'notebook_read',
  aliases: ['NotebookRead'],
  inputAliases: { notebook_path: 'path', file_path: 'path', cell_id: 'cell', cell_index: 'cell' },
  prose,
  input: looseInput({ path: toolPath, cell: z.string().optional() }),
  effect: 'read',
  isDeferred: true,
  touches: ({ path }, { cwd }) => [{ kind: 'path', path: absolutePath(path, cwd), access: 'read' }],
  title: ({ path }, { cwd }) => displayPath(absolutePath(path, cwd), cwd),
  run: read,
});

async function read({ path, cell }: Input, ctx: ToolContext): Promise<ToolResult> {
  const file = absolutePath(path, ctx.cwd);
  const content = await readRegularFile(file, { maxBytes, real: ctx.decidedPaths?.get(file) });
  if ('kind' in content) return problemResult(content, { file, ctx, use: 'read' });
  const shown = displayPath(file, ctx.cwd);
  const decoded = decodeText(content.bytes);
  if (decoded.kind === 'foreign') return notText(shown, decoded);
  const parsed = parseNotebook(decoded);
  if (typeof parsed === 'string')
    return toolError('not_a_notebook', `${shown} cannot be read as a notebook: ${parsed}. Use read_file.`);
  const { cells } = parsed.notebook;
  const only = cell === undefined ? undefined : cellIndex(parsed.notebook, cell);
  if (only === -1)
    return toolError(
      'no_cell',
      `${shown} has no cell ${cell}; it has ${count(cells.length, 'cell')}, numbered from 0.`,
    );
  const { texts, dropped, images } = notebookCells(parsed.notebook, only);
  return {
    status: 'ok',
    forModel: [
      { kind: 'text', text: (texts.join('\n\n') || `[${shown} has no cells.]`) + dropped },
      ...images,
    ],
    summary: count(texts.length, 'cell'),
    fileStates: [{ path: realPathOf(file), sha256: hashBytes(content.bytes) }],
  };
}
