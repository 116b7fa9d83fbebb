import { emptyChunk, type FilePatch, type ParsedPatch, type PatchChunk } from './patch.ts';

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const unifiedRange = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

type Update = Extract<FilePatch, { kind: 'update' }>;

/** `*** Begin Patch`, sections that add, update or delete one file each, `*** End Patch`. */
export function parseEnvelope(lines: readonly string[]): ParsedPatch {
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = lines.findIndex((line) => line.trim() === '*** End Patch');
  const last = end === -1 ? lines.length : end;
  const files: FilePatch[] = [];
  let file: FilePatch | undefined;
  for (const [offset, line] of lines.slice(begin + 1, last).entries()) {
    const number = begin + 2 + offset;
    const [, verb, name] = header.exec(line.trim()) ?? [];
    if (verb !== undefined && name !== undefined) {
      file = newFile(verb, name.trim());
      files.push(file);
      continue;
    }
    if (!file) {
      if (line.trim() === '' || line.startsWith('```')) continue;
      return { problem: `Line ${number} stands before the first "*** Update File: …": ${short(line)}` };
    }
    const problem = takeLine(file, line);
    if (problem !== undefined) return { problem: `Line ${number}: ${problem}` };
  }
  const isWithoutEnd = end === -1;
  for (const each of files) if (each.kind === 'update') dropTail(each, isWithoutEnd && each === files.at(-1));
  const idle = files.find((each) => each.kind === 'update' && !each.moveTo && each.chunks.length === 0);
  return idle ? { problem: `The section for ${idle.path} changes nothing.` } : { files };
}

function newFile(verb: string, path: string): FilePatch {
  if (verb === 'Add') return { kind: 'add', path, text: '' };
  if (verb === 'Delete') return { kind: 'delete', path };
  return { kind: 'update', path, moveTo: undefined, chunks: [] };
}

/** A text is what is wrong with the line. */
function takeLine(file: FilePatch, line: string): string | undefined {
  switch (file.kind) {
    case 'delete':
      return line.trim() === '' ? undefined : `nothing may follow "*** Delete File": ${short(line)}`;
    case 'add':
      if (!line.startsWith('+') && line.trim() !== '')
        return `each line of a file that is added begins with +: ${short(line)}`;
      if (line.startsWith('+')) file.text += `${line.slice(1)}\n`;
      return undefined;
    case 'update':
      return takeUpdateLine(file, line);
  }
}

function takeUpdateLine(file: Update, line: string): string | undefined {
  const moved = /^\*\*\* Move to: (.+)$/.exec(line.trim())?.[1];
  if (moved !== undefined) {
    file.moveTo = moved.trim();
    return undefined;
  }
  if (line.trim() === '*** End of File') {
    const chunk = file.chunks.at(-1);
    if (chunk) chunk.atEnd = true;
    return undefined;
  }
  if (line.startsWith('@@')) {
    takeAnchor(file, line);
    return undefined;
  }
  const [op = ' ', text] = line === '' ? [' ', ''] : [line[0], line.slice(1)];
  if (op !== ' ' && op !== '-' && op !== '+')
    return `a line of a change begins with a blank, - or +, and a place with @@: ${short(line)}`;
  if (file.chunks.length === 0) {
    if (line.trim() === '') return undefined;
    file.chunks.push(emptyChunk());
  }
  file.chunks.at(-1)?.lines.push({ op, text: text ?? '' });
  return undefined;
}

/** `@@ function name`, several of them one below the other, or the ranges of a unified diff. */
function takeAnchor(file: Update, line: string): void {
  const range = unifiedRange.exec(line);
  const anchor = line
    .replace(range ? unifiedRange : /^@@/, '')
    .replace(/@@\s*$/, '')
    .trim();
  const open = file.chunks.at(-1);
  const isOpen = open !== undefined && open.lines.length === 0 && !range;
  const chunk: PatchChunk = isOpen ? open : emptyChunk(range ? Number(range[1]) : undefined);
  if (!isOpen) file.chunks.push(chunk);
  if (anchor !== '' && !range) chunk.anchors.push(anchor);
}

/** Empty lines between sections are no context. */
function dropTail(file: Update, endsWithFence: boolean): void {
  for (const chunk of file.chunks) {
    if (endsWithFence && chunk === file.chunks.at(-1) && chunk.lines.at(-1)?.text.startsWith('``'))
      chunk.lines.pop();
    const isChange = chunk.lines.some(({ op }) => op !== ' ');
    if (!isChange) chunk.lines = [];
  }
  file.chunks = file.chunks.filter(({ lines }) => lines.length > 0);
}

function short(line: string): string {
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
