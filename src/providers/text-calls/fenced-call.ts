import { type CallProblem, reasons } from './reading.ts';
import { type TextCallOptions, TextCallParser } from './text-call-parser.ts';

const fence = /^(`{3,}|~{3,})(.*)$/;

/** A text that ends with a code block which is nothing but calls: most likely they were meant, and none was run. */
export function fencedCall(text: string, { tools }: TextCallOptions): CallProblem | undefined {
  const block = endingBlock(text);
  if (block === undefined) return undefined;
  const parser = new TextCallParser({ tools, isLoose: true });
  const pieces = [...parser.push(block), ...parser.end()];
  const [first] = parser.found.calls;
  if (!first || pieces.some((piece) => piece.text.trim() !== '')) return undefined;
  return { reason: reasons.fenced, tool: first.tool };
}

/** What stands in the closed code block at the end; an indented one belongs to a list. */
function endingBlock(text: string): string | undefined {
  let open: string | undefined;
  let block: string[] | undefined;
  for (const line of text.trimEnd().split('\n')) {
    const [, mark, word = ''] = fence.exec(line.trimEnd()) ?? [];
    if (open === undefined) {
      open = mark;
      block = mark === undefined ? undefined : [];
    } else if (mark?.startsWith(open) && word === '') open = undefined;
    else block?.push(line);
  }
  return open === undefined ? block?.join('\n') : undefined;
}
