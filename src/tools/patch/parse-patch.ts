import { parseEnvelope } from './parse-envelope.ts';
import { parseUnified } from './parse-unified.ts';
import type { FilePatch, ParsedPatch } from './patch.ts';

/** Reads an envelope (`*** Begin Patch`) or a unified diff, also inside a code fence or a here-document. */
export function parsePatch(text: string): ParsedPatch {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const isEnvelope = lines.some((line) =>
    /^\*\*\* (Begin Patch|(Add|Update|Delete) File: )/.test(line.trimStart()),
  );
  const parsed = isEnvelope ? parseEnvelope(lines) : parseUnified(lines);
  if ('problem' in parsed) return parsed;
  if (parsed.files.length === 0) return { problem: 'It names no file.' };
  return { files: merged(parsed.files) };
}

/** Two sections about one file are one change. */
function merged(files: readonly FilePatch[]): FilePatch[] {
  const result: FilePatch[] = [];
  for (const file of files) {
    const before = result.find((other) => other.path === file.path);
    if (before?.kind === 'update' && file.kind === 'update') {
      before.chunks.push(...file.chunks);
      before.moveTo ??= file.moveTo;
    } else result.push(file);
  }
  return result;
}
