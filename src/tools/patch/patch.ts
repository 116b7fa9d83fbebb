export type PatchLine = { op: ' ' | '-' | '+'; text: string };

/** One place of a file: lines as they stand there, with what goes and what comes. */
export type PatchChunk = {
  /** Lines that stand somewhere above it, outermost first. */
  anchors: string[];
  /** Where its first line stood when the patch was made, from 1; undefined when the patch does not say. */
  line: number | undefined;
  lines: PatchLine[];
  /** It reaches to the end of the file. */
  atEnd: boolean;
  /** Whether the file ends with a line break afterwards; undefined = as before. */
  finalBreak: boolean | undefined;
};

export type FilePatch =
  | { kind: 'add'; path: string; text: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; moveTo: string | undefined; chunks: PatchChunk[] };

export type ParsedPatch = { files: FilePatch[] } | { problem: string };

export function emptyChunk(line?: number): PatchChunk {
  return { anchors: [], line, lines: [], atEnd: false, finalBreak: undefined };
}
