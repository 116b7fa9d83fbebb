import { z } from 'zod';
import { cleanOutput } from '#lib/clean-output.ts';
import { hashBytes } from '#lib/file-hash.ts';
import { displayPath, realPathOf } from '#lib/paths.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { scrubSecrets } from '#lib/secrets.ts';
import { decodeText } from '#lib/text-file.ts';
import type { ToolContent, ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { imageType } from './files/image-type.ts';
import {
  cellIndex,
  joinedSource,
  type NotebookCell,
  type NotebookOutput,
  parseNotebook,
} from './files/notebook.ts';
import { absolutePath, problemResult, toolPath } from './files/tool-path.ts';
import prose from './notebook-read.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';

type Input = { path: string; cell?: string | undefined };

const maxBytes = 50_000_000;
/** Characters of the outputs of one cell: from a whole notebook, and of the cell that was asked for. */
const maxOutputChars = { all: 2_000, one: 10_000 };
const maxImages = 10;
/** Vendors take 5 MB of base64. */
const maxImageBytes = 3_750_000;

export const notebookRead = defineTool<Input>({
  name: 'notebook_read',
  aliases: ['NotebookRead'],
  inputAliases: { notebook_path: 'path', file_path: 'path', cell_id: 'cell', cell_index: 'cell' },
  prose,
  input: looseInput({ path: toolPath, cell: z.string().optional() }),
  effect: 'read',
  showsExactText: true,
  isDeferred: true,
  touches: ({ path }, { cwd }) => [{ kind: 'path', path: absolutePath(path, cwd), access: 'read' }],
  title: ({ path }, { cwd }) => displayPath(absolutePath(path, cwd), cwd),
  run: read,
});

async function read({ path, cell }: Input, ctx: ToolContext): Promise<ToolResult> {
  const file = absolutePath(path, ctx.cwd);
  const content = await readRegularFile(file, { maxBytes, real: ctx.decidedPaths?.get(file) });
  if ('kind' in content) return problemResult(content, { file, cwd: ctx.cwd, use: 'read' });
  const shown = displayPath(file, ctx.cwd);
  const parsed = parseNotebook(decodeText(content.bytes));
  if (typeof parsed === 'string')
    return toolError('not_a_notebook', `${shown} cannot be read as a notebook: ${parsed}. Use read_file.`);
  const { cells } = parsed.notebook;
  const only = cell === undefined ? undefined : cellIndex(parsed.notebook, cell);
  if (only === -1)
    return toolError(
      'no_cell',
      `${shown} has no cell ${cell}; it has ${count(cells.length, 'cell')}, numbered from 0.`,
    );
  const images: ToolContent[] = [];
  const room = only === undefined ? maxOutputChars.all : maxOutputChars.one;
  const texts = cells.flatMap((each, index) =>
    only === undefined || only === index ? [cellText(each, { index, room, images })] : [],
  );
  const dropped =
    images.length > maxImages
      ? `\n\n[${images.length - maxImages} more pictures: ask for single cells.]`
      : '';
  return {
    status: 'ok',
    forModel: [
      { kind: 'text', text: (texts.join('\n\n') || `[${shown} has no cells.]`) + dropped },
      ...images.slice(0, maxImages),
    ],
    summary: count(texts.length, 'cell'),
    fileStates: [{ path: realPathOf(file), sha256: hashBytes(content.bytes) }],
  };
}

function cellText(
  cell: NotebookCell,
  { index, room, images }: { index: number; room: number; images: ToolContent[] },
): string {
  const head = `[${index}] ${cell.cell_type}${cell.id === undefined ? '' : ` id=${cell.id}`}`;
  const outputs = (cell.outputs ?? [])
    .map((output) => outputText(output, images))
    .filter((text) => text !== '');
  // The source is shown letter by letter, to be changed; what a cell printed never is.
  const joined = scrubSecrets(outputs.join('\n'));
  const output =
    joined.length > room
      ? `${joined.slice(0, room).toWellFormed()}\n[… ${joined.length - room} more characters; ask for this cell alone]`
      : joined;
  return [head, joinedSource(cell.source), ...(output === '' ? [] : ['-> output', output])].join('\n');
}

function outputText(
  { output_type, text, data, ename, evalue, traceback }: NotebookOutput,
  images: ToolContent[],
): string {
  if (output_type === 'error') return cleanOutput([`${ename}: ${evalue}`, ...(traceback ?? [])].join('\n'));
  if (text !== undefined) return cleanOutput(joinedSource(text)).trimEnd();
  for (const type of ['image/png', 'image/jpeg']) {
    const base64 = textIn(data?.[type]).replaceAll(/\s/g, '');
    const bytes = Buffer.from(base64, 'base64');
    const mediaType = imageType(bytes);
    if (mediaType === undefined) continue;
    if (bytes.length > maxImageBytes) return `[a picture of ${bytes.length} bytes, too large to show]`;
    images.push({ kind: 'image', mediaType, source: { kind: 'inline', base64: bytes.toString('base64') } });
    return `[picture ${images.length}]`;
  }
  for (const type of ['text/markdown', 'text/plain', 'application/json', 'text/html']) {
    const value = data?.[type];
    if (value !== undefined) return cleanOutput(textIn(value) || JSON.stringify(value)).trimEnd();
  }
  return data ? `[output of type ${Object.keys(data).join(', ')}]` : '';
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : '';
}
