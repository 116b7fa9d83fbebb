import path from 'node:path';
import { z } from 'zod';
import { formatCount } from '#lib/amounts.ts';
import { hashBytes } from '#lib/file-hash.ts';
import { displayPath, realPathOf } from '#lib/paths.ts';
import { openRegularFile, readFileStart, readRegularFile } from '#lib/regular-file.ts';
import { type DecodedText, decodeText } from '#lib/text-file.ts';
import type { FileState, ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { hideLines, windowWithoutSecrets } from './files/hidden-window.ts';
import { imageType } from './files/image-type.ts';
import { foreignText } from './files/not-text.ts';
import { parseNotebook } from './files/notebook.ts';
import { notebookCells } from './files/notebook-cells.ts';
import { problemResult } from './files/problem-result.ts';
import { type LineRange, type TextWindow, windowOfFile } from './files/text-window.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import prose from './read-file.md';
import { looseInput } from './result/loose-input.ts';
import { aborted, toolError } from './result/tool-error.ts';
import { count, size } from './result/words.ts';

type Input = { path: string; offset?: number | undefined; limit?: number | undefined };

const defaultLimit = 2_000;
/** Up to here a file is read whole, so that it may be edited afterwards. */
const maxWholeBytes = 50_000_000;
/** Vendors take 5 MB of base64. */
const maxImageBytes = 3_750_000;
const sampleBytes = 65_536;
/** What is said before and after the lines. */
const noteChars = 200;

export const readFile = defineTool<Input>({
  name: 'read_file',
  aliases: ['Read'],
  inputAliases: { file_path: 'path', filename: 'path', file: 'path' },
  prose,
  input: looseInput({ path: toolPath, offset: z.number().optional(), limit: z.number().optional() }),
  effect: 'read',
  touches: (input, { cwd }) => [{ kind: 'path', path: absolutePath(input.path, cwd), access: 'read' }],
  title: (input, { cwd }) => displayPath(absolutePath(input.path, cwd), cwd) + rangeTitle(input),
  async run(input, ctx) {
    const file = absolutePath(input.path, ctx.cwd);
    const range = { ...rangeOf(input), maxChars: ctx.maxResultChars - noteChars };
    const real = ctx.decidedPaths?.get(file);
    const content = await readRegularFile(file, { maxBytes: maxWholeBytes, real });
    if ('kind' in content) {
      if (content.kind === 'too-large') return readPartOfLarge(file, range, ctx);
      return problemResult(content, { file, ctx, use: 'read' });
    }
    const { bytes } = content;
    const shown = displayPath(file, ctx.cwd);
    const state = { path: realPathOf(file), sha256: hashBytes(bytes) };
    const media = imageType(bytes);
    if (media) return imageResult({ bytes, media, file, shown, state });
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary') return binaryError(shown, bytes.length);
    if (decoded.kind === 'foreign') return foreignText(shown, decoded.encoding);
    const cells = isNotebookAsked(input) ? cellsOf(decoded, { shown, ctx }) : undefined;
    if (cells) return { ...cells, fileStates: [state] };
    const isSecret = ctx.services.isSecretFile(state.path);
    const { window, hasSecrets } = windowWithoutSecrets(decoded.text, { range, isSecret });
    const note = encodingNote(decoded) + (isSecret ? warningNote : '') + (hasSecrets ? secretNote : '');
    const result = textResult(window, { range, shown, note });
    return result.status === 'ok' ? { ...result, fileStates: [state] } : result;
  },
});

const warningNote = '[This file holds secrets by its name. Do not repeat, copy or commit what is in it.]\n';
const secretNote =
  '[Secrets in this file are shown as marks that begin with [secret:. An edit that leaves them out keeps them.]\n';

/** With a line to begin at, the JSON of its file is meant. */
function isNotebookAsked({ path: file, offset, limit }: Input): boolean {
  return /\.ipynb$/i.test(file) && offset === undefined && limit === undefined;
}

/** undefined for a file that only has the name of a notebook. */
function cellsOf(
  decoded: DecodedText,
  { shown, ctx: { offered = [] } }: { shown: string; ctx: ToolContext },
): ToolResult | undefined {
  const parsed = parseNotebook(decoded);
  if (typeof parsed === 'string') return undefined;
  const { texts, dropped, images } = notebookCells(parsed.notebook, undefined);
  const editor = offered.includes('notebook_edit')
    ? ' Change a cell with notebook_edit.'
    : offered.includes('tool_search')
      ? ' tool_search finds notebook_edit, which changes cells.'
      : '';
  const note = `[A notebook, shown by its cells.${editor} With offset its JSON is shown.]\n\n`;
  const text = note + (texts.join('\n\n') || `[${shown} has no cells.]`) + dropped;
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text }, ...images],
    summary: count(texts.length, 'cell'),
  };
}

function rangeOf({ offset, limit }: Input): Omit<LineRange, 'maxChars'> {
  return {
    offset: Math.max(1, Math.trunc(offset ?? 1)),
    limit: Math.max(1, Math.trunc(limit ?? defaultLimit)),
  };
}

function rangeTitle({ offset, limit }: Input): string {
  if (offset === undefined && limit === undefined) return '';
  const range = rangeOf({ path: '', offset, limit });
  return `:${range.offset}${limit === undefined ? '' : `-${range.offset + range.limit - 1}`}`;
}

function textResult(
  { lines, total }: TextWindow,
  { range, shown, note }: { range: LineRange; shown: string; note: string },
): ToolResult {
  const first = range.offset;
  if (total === 0) return ok(`[${shown} is empty.]`, 'empty');
  if (lines.length === 0)
    return toolError(
      'invalid_argument',
      `offset ${first} is past the end of ${shown}, which has ${count(total ?? 0, 'line')}.`,
    );
  const last = first + lines.length - 1;
  const body = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  const isWhole = first === 1 && last === total;
  const where = `lines ${first}-${last}${total === null ? '' : ` of ${formatCount(total)}`}`;
  const more = last === total ? '' : ` Go on with offset ${last + 1}.`;
  const tail = isWhole ? '' : `\n[${where}.${more}]`;
  return ok(`${note}${body}${tail}`, isWhole ? count(lines.length, 'line') : where);
}

function ok(text: string, summary: string): ToolResult {
  return { status: 'ok', forModel: [{ kind: 'text', text }], summary };
}

function encodingNote(decoded: Exclude<DecodedText, { kind: 'binary' | 'foreign' }>): string {
  if (decoded.kind === 'damaged')
    return '[Not valid UTF-8: broken places are shown as \ufffd, and the file cannot be edited as text.]\n';
  return decoded.format.encoding === 'utf-8' ? '' : `[Encoding: ${decoded.format.encoding}]\n`;
}

function binaryError(shown: string, bytes: number): ToolResult {
  return toolError(
    'not_text',
    `${shown} is a binary file (${size(bytes)}). Look into it with bash, e.g. file, xxd, strings, or a program for its type.`,
  );
}

function imageResult(image: {
  bytes: Buffer;
  media: string;
  file: string;
  shown: string;
  state: FileState;
}): ToolResult {
  const { bytes, media, file, shown, state } = image;
  if (bytes.length > maxImageBytes)
    return toolError(
      'too_large',
      `${shown} is a picture of ${size(bytes.length)}; at most ${size(maxImageBytes)} can be shown. Make it smaller first.`,
    );
  return {
    status: 'ok',
    forModel: [
      { kind: 'text', text: `[${shown}: ${media}, ${size(bytes.length)}]` },
      {
        kind: 'image',
        mediaType: media,
        name: path.basename(file),
        source: { kind: 'inline', base64: bytes.toString('base64') },
      },
    ],
    view: { kind: 'image', mediaType: media, path: shown, bytes: bytes.length },
    summary: `${media}, ${size(bytes.length)}`,
    fileStates: [state],
  };
}

/** Shown but not remembered: such a file is not edited as a whole. */
async function readPartOfLarge(file: string, range: LineRange, ctx: ToolContext): Promise<ToolResult> {
  const shown = displayPath(file, ctx.cwd);
  const opened = await openRegularFile(file, { real: ctx.decidedPaths?.get(file) });
  if ('kind' in opened) return problemResult(opened, { file, ctx, use: 'read' });
  const { handle, stats } = opened;
  try {
    const decoded = decodeText(await readFileStart(handle, sampleBytes));
    if (decoded.kind === 'binary') return binaryError(shown, stats.size);
    if (decoded.kind === 'foreign') return foreignText(shown, decoded.encoding);
    const encoding = decoded.kind === 'text' ? decoded.format.encoding : 'utf-8';
    const window = await windowOfFile(handle, { ...range, encoding }, ctx.signal);
    const isSecret = ctx.services.isSecretFile(realPathOf(file));
    const lines = hideLines(window.lines.join('\n'), isSecret).split('\n');
    if (ctx.signal.aborted) return aborted(`Reading ${shown} was interrupted.`);
    return textResult(
      { ...window, lines: window.lines.length === 0 ? [] : lines },
      {
        range,
        shown,
        note: `[${size(stats.size)}: too large to be edited here]\n${isSecret ? warningNote : ''}`,
      },
    );
  } finally {
    await handle.close();
  }
}
