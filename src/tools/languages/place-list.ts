import { displayPath } from '#lib/paths.ts';
import type { CodePlace } from '#protocol/languages.ts';
import type { ToolResult } from '#protocol/message.ts';
import { count, nameOnOneLine } from '../result/words.ts';

const maxShown = 200;

/** Places as `file:line:column`, in the order of files and lines. */
export function placeList(places: readonly CodePlace[], cwd: string, noun: string): ToolResult {
  const ordered = places.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
  const lines = ordered
    .slice(0, maxShown)
    .map(({ file, line, column }) => `${nameOnOneLine(displayPath(file, cwd))}:${line}:${column}`);
  if (ordered.length > maxShown) lines.push(`[The first ${maxShown} of ${ordered.length}.]`);
  const text = lines.length === 0 ? `The language server knows no ${noun} of it.` : lines.join('\n');
  return { status: 'ok', forModel: [{ kind: 'text', text }], summary: count(ordered.length, noun) };
}
