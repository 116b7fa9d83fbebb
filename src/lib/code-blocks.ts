/** Fenced code in a markdown text, without its fence and without what its place in a list adds before each line. */
export type CodeBlock = { readonly language: string; readonly code: string };

const opening = /^(\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;

/** Top to bottom. An unclosed fence, of an answer that was cut, counts too. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { indent: number; fence: string; language: string; lines: string[] } | undefined;
  const close = () => {
    if (open) blocks.push({ language: open.language, code: open.lines.join('\n') });
    open = undefined;
  };
  for (const line of markdown.split(/\r?\n/)) {
    if (open) {
      const end = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
      if (end?.startsWith(open.fence)) close();
      else open.lines.push(withoutIndent(line, open.indent));
      continue;
    }
    const [, before = '', fence, language = ''] = opening.exec(line) ?? [];
    if (fence !== undefined) open = { indent: before.length, fence, language, lines: [] };
  }
  if (open && open.lines.at(-1) === '') open.lines.pop();
  close();
  return blocks;
}

/** No more than the fence has itself: what goes beyond belongs to the code. */
function withoutIndent(line: string, indent: number): string {
  const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(own, indent));
}
