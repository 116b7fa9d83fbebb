/** A file's own words for the model: what it imports, and its text without comments and frontmatter. */
export type InstructionText = {
  text: string;
  /** Paths behind `@`, as written, in order, each once. */
  imports: readonly string[];
  /** The file is meant only for work on certain paths. */
  isScoped: boolean;
};

/**
 * Reads one instruction file. `@path` imports count outside code spans and fences only; HTML comments vanish
 * there as well. Frontmatter is left out; a `paths` key in it makes the file scoped.
 */
export function readInstructionText(raw: string): InstructionText {
  const { body, isScoped } = splitFrontmatter(raw.replaceAll('\r\n', '\n'));
  const imports = new Set<string>();
  const pieces = splitCode(body).map(({ text, isCode }) => {
    if (isCode) return text;
    const prose = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
    for (const match of prose.matchAll(/(?:^|[\s(])@((?:~\/|\.{0,2}\/)?[\w.\-/]*[\w/-](?:\.[\w-]+)*)/g)) {
      const path = match[1];
      if (path !== undefined && looksLikeFile(path)) imports.add(path);
    }
    return prose;
  });
  const text = pieces
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return { text, imports: [...imports], isScoped };
}

/** `@name` alone may be a person; a path has a slash or an ending. */
function looksLikeFile(path: string): boolean {
  return path.includes('/') || /\.\w+$/.test(path);
}

function splitFrontmatter(raw: string): { body: string; isScoped: boolean } {
  const match = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(raw);
  if (!match) return { body: raw, isScoped: false };
  return { body: raw.slice(match[0].length), isScoped: /^paths\s*:/m.test(match[1] ?? '') };
}

type Piece = { text: string; isCode: boolean };

/** Fenced blocks and code spans apart from prose; joined again they are the whole text. */
function splitCode(body: string): Piece[] {
  const pieces: Piece[] = [];
  let fence: string | undefined;
  let current = '';
  const flush = (isCode: boolean) => {
    if (current !== '') pieces.push(...(isCode ? [{ text: current, isCode }] : splitSpans(current)));
    current = '';
  };
  for (const line of body.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      flush(false);
      fence = mark;
      current += line;
    } else if (fence !== undefined && mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) {
      current += line;
      flush(true);
      fence = undefined;
    } else current += line;
  }
  flush(fence !== undefined);
  return pieces;
}

function splitSpans(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g)) {
    pieces.push({ text: text.slice(from, match.index), isCode: false }, { text: match[0], isCode: true });
    from = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(from), isCode: false });
  return pieces;
}
