/** A file's own words for the model: what it imports, and its text without comments and frontmatter. */
export type InstructionText = {
  text: string;
  /** Paths behind `@`, as written, in order, each once. */
  imports: readonly string[];
  /** Globs of the only paths that the file is meant for; null = it always counts. */
  paths: readonly string[] | null;
};

/**
 * Reads one instruction file. `@path` imports count outside code spans and fences only; HTML comments vanish
 * there as well. Frontmatter is left out; `paths` in it names the files that the text is for.
 */
export function readInstructionText(raw: string): InstructionText {
  const { body, paths } = splitFrontmatter(raw.replaceAll('\r\n', '\n'));
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
  return { text, imports: [...imports], paths };
}

/** `@name` alone may be a person; a path has a slash or an ending. */
function looksLikeFile(path: string): boolean {
  return path.includes('/') || /\.\w+$/.test(path);
}

function splitFrontmatter(raw: string): { body: string; paths: readonly string[] | null } {
  const match = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(raw);
  if (!match) return { body: raw, paths: null };
  return { body: raw.slice(match[0].length), paths: readPaths(match[1] ?? '') };
}

/** `paths: a, b`, `paths: [a, "b"]` or a list below it; a key without a readable value is for no path at all. */
function readPaths(frontmatter: string): readonly string[] | null {
  const match = /^paths[ \t]*:[ \t]*(.*)((?:\n[ \t]*-[ \t]+.*)*)/m.exec(frontmatter);
  if (!match) return null;
  const [, inline = '', below = ''] = match;
  const values = [...splitList(inline.replace(/^\[|\]\s*$/g, '')), ...below.split('\n')];
  return values
    .map((value) =>
      value
        .trim()
        .replace(/^-\s+/, '')
        .replace(/^(["'])(.*)\1$/, '$2'),
    )
    .filter((value) => value !== '');
}

/** At commas, but not inside of braces: `src/{a,b}/**` is one glob. */
function splitList(text: string): string[] {
  return text.match(/(?:\{[^}]*\}|[^,])+/g) ?? [];
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
