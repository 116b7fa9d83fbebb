import type { CodeTarget } from '#protocol/languages.ts';
import { lspError } from './lsp-error.ts';

/** As the protocol counts: from 0. */
type Position = { line: number; character: number };

/** The line that a model names may be a little old. */
const slackLines = 5;

/** Where a target is in the text of its file. Throws an error that names the lines where the symbol stands. */
export function locate(text: string, { file, line, column, symbol }: CodeTarget): Position {
  const lines = text.split(/\r\n|\r|\n/);
  if (symbol === undefined || symbol === '') {
    if (line === undefined)
      throw lspError('lsp_not_found', 'Say which: give `symbol`, or `line` and `column`.');
    const shown = lines[line - 1];
    if (shown === undefined)
      throw lspError('lsp_not_found', `${file} has ${lines.length} lines; there is no line ${line}.`);
    const first = shown.length - shown.trimStart().length + 1;
    return { line: line - 1, character: Math.min(column ?? first, shown.length + 1) - 1 };
  }
  // Of `Cart.total` the last name is what is asked for.
  const name = symbol.split(/[.#]|::|->/).findLast((part) => part !== '') ?? symbol;
  const found = lines.flatMap((content, index) => {
    const columns = columnsOf(content, name);
    if (columns.length === 0) return [];
    const wanted = index + 1 === line && column !== undefined ? column - 1 : 0;
    return { line: index, character: nearest(columns, wanted) };
  });
  const best =
    line === undefined
      ? found[0]
      : found.toSorted((a, b) => Math.abs(a.line + 1 - line) - Math.abs(b.line + 1 - line))[0];
  if (!best) throw lspError('lsp_not_found', `${symbol} does not stand in ${file}.`);
  if (line !== undefined && Math.abs(best.line + 1 - line) > slackLines) {
    const where = found.slice(0, 10).map((place) => place.line + 1);
    throw lspError(
      'lsp_not_found',
      `${symbol} does not stand on line ${line} of ${file}, but on: ${where.join(', ')}.`,
    );
  }
  return best;
}

/** Where a name stands in a line as a whole word. */
function columnsOf(content: string, name: string): number[] {
  const columns: number[] = [];
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
    const around = [content[at - 1] ?? ' ', content[at + name.length] ?? ' '];
    if (!around.some((character) => /[\p{L}\p{N}_$]/u.test(character))) columns.push(at);
  }
  return columns;
}

function nearest(columns: readonly number[], wanted: number): number {
  return columns.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? 0;
}
