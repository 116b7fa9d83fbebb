import { emptyChunk, type FilePatch, type ParsedPatch } from './patch.ts';

type Names = { from: string | undefined; to: string | undefined; renamedTo: string | undefined };

/** A unified diff as diff and git write it. The counts of its ranges are not relied on. */
export function parseUnified(lines: readonly string[]): ParsedPatch {
  const files: FilePatch[] = [];
  let names: Names = { from: undefined, to: undefined, renamedTo: undefined };
  let file: FilePatch | undefined;
  const isHeader = (at: number) => lines[at]?.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) {
      file = undefined;
      names = { from: undefined, to: undefined, renamedTo: undefined };
    } else if (!file && line.startsWith('rename from ')) names.from = line.slice('rename from '.length);
    else if (!file && line.startsWith('rename to ') && names.from !== undefined) {
      names.renamedTo = line.slice('rename to '.length);
      file = { kind: 'update', path: names.from, moveTo: names.renamedTo, chunks: [] };
      files.push(file);
    } else if (isHeader(at)) {
      const from = nameOf(line.slice(4), 'a/');
      const to = nameOf((lines[at + 1] ?? '').slice(4), 'b/');
      at += 1;
      if (file?.kind === 'update' && file.moveTo !== undefined && file.chunks.length === 0) continue;
      const made = fileOf(from, to);
      if (!made) return { problem: `Line ${at}: neither --- nor +++ names a file.` };
      file = made;
      files.push(file);
    } else if (file) {
      const problem = takeLine(file, line);
      if (problem !== undefined) return { problem: `Line ${at + 1}: ${problem}` };
    }
  }
  if (files.length === 0)
    return {
      problem:
        'It holds neither "*** Update File: <path>" (or Add, Delete) nor the lines "--- <path>" and "+++ <path>".',
    };
  return { files };
}

/** undefined for /dev/null. */
function nameOf(text: string, prefix: string): string | undefined {
  const name = (text.split('\t')[0] ?? '').trim();
  if (name === '/dev/null') return undefined;
  const plain = /^".*"$/.test(name) ? name.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : name;
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
}

function fileOf(from: string | undefined, to: string | undefined): FilePatch | undefined {
  if (from === undefined) return to === undefined ? undefined : { kind: 'add', path: to, text: '' };
  if (to === undefined) return { kind: 'delete', path: from };
  return { kind: 'update', path: from, moveTo: from === to ? undefined : to, chunks: [] };
}

function takeLine(file: FilePatch, line: string): string | undefined {
  const op = line[0] ?? ' ';
  switch (file.kind) {
    case 'delete':
      return undefined;
    case 'add':
      if (op === '+') file.text += `${line.slice(1)}\n`;
      if (line.startsWith('\\') && file.text.endsWith('\n')) file.text = file.text.slice(0, -1);
      return undefined;
    case 'update': {
      if (line.startsWith('@@')) {
        const from = /^@@+ -(\d+)/.exec(line)?.[1];
        file.chunks.push(emptyChunk(from === undefined ? undefined : Number(from)));
        return undefined;
      }
      const chunk = file.chunks.at(-1);
      if (!chunk) return undefined;
      if (line.startsWith('\\')) {
        const last = chunk.lines.at(-1)?.op;
        chunk.atEnd = true;
        // The mark behind a removed line says that the new end has a break, unless one behind the new end follows.
        chunk.finalBreak = last === '-';
        return undefined;
      }
      if (op !== ' ' && op !== '+' && op !== '-') return line.startsWith('```') ? undefined : badLine(line);
      chunk.lines.push({ op, text: line.slice(1) });
      return undefined;
    }
  }
}

function badLine(line: string): string | undefined {
  // Between files git writes more, e.g. `index 123..456`.
  return /^(index|new file|deleted file|old mode|new mode|similarity|Only in|Binary) ?/.test(line)
    ? undefined
    : `a line of a change begins with a blank, - or +: ${line.slice(0, 80)}`;
}
