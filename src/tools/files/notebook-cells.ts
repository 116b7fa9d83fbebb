import { cleanOutput } from '#lib/clean-output.ts';
import { scrubSecrets } from '#lib/secrets.ts';
import type { ToolContent } from '#protocol/message.ts';
import { imageType } from './image-type.ts';
import { joinedSource, type Notebook, type NotebookCell, type NotebookOutput } from './notebook.ts';

/** Characters of the outputs of one cell: from a whole notebook, and of the cell that was asked for. */
const maxOutputChars = { all: 2_000, one: 10_000 };
const maxImages = 10;
/** Vendors take 5 MB of base64. */
const maxImageBytes = 3_750_000;

/** The cells of a notebook as a model reads them, or only the one with the number `only`; their pictures behind. */
export function notebookCells(
  { cells }: Notebook,
  only: number | undefined,
): { texts: string[]; dropped: string; images: ToolContent[] } {
  const images: ToolContent[] = [];
  const room = only === undefined ? maxOutputChars.all : maxOutputChars.one;
  const texts = cells.flatMap((each, index) =>
    only === undefined || only === index ? [cellText(each, { index, room, images })] : [],
  );
  const dropped =
    images.length > maxImages
      ? `\n\n[${images.length - maxImages} more pictures: ask for single cells.]`
      : '';
  return { texts, dropped, images: images.slice(0, maxImages) };
}

function cellText(
  cell: NotebookCell,
  { index, room, images }: { index: number; room: number; images: ToolContent[] },
): string {
  const head = `[${index}] ${cell.cell_type}${cell.id === undefined ? '' : ` id=${cell.id}`}`;
  const outputs = (cell.outputs ?? [])
    .map((output) => outputText(output, images))
    .filter((text) => text !== '');
  // Before it is cut: half of a secret is not known for one.
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
