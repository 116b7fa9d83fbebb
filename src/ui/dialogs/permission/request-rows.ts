import { cleanCommand, cleanName } from '#lib/terminal-text.ts';
import { breakRuns } from '#lib/wrap.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { PermissionRequest } from '#protocol/permission.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { type Span, span } from '../../theme/span.ts';
import { diffRows, diffsRows } from '../../transcript/views/diff-view.ts';
import { filesRows, tableViewRows } from '../../transcript/views/grid-view.ts';
import { plainRows } from '../../transcript/views/tool-view.ts';
import { row, type SheetRow } from '../sheet/sheet.ts';

/** Rows of the requests on the screen; a key must not lay a long command out anew. */
const cache = new WeakMap<PermissionRequest, { width: number; rows: readonly SheetRow[] }>();

/** All of what a call would do: nothing is left out, however long it is. */
export function requestRows(request: PermissionRequest, width: number): readonly SheetRow[] {
  const known = cache.get(request);
  if (known?.width === width) return known.rows;
  const rows = contentRows(request, width).map((spans) => row(...spans));
  cache.set(request, { width, rows });
  return rows;
}

function contentRows(request: PermissionRequest, width: number): readonly (readonly Span[])[] {
  const { command, view, input } = request;
  const viewed = view ? viewRows(view, width) : [];
  if (command !== undefined)
    return [...commandRows(command, width), ...optionRows(input, { command, width }), ...viewed];
  if (viewed.length > 0) return viewed;
  const rows = argumentsOf(input).flatMap(([key, value]) =>
    breakRuns([span(`${key}: `, 'dim'), span(value)], width),
  );
  return rows.length > 0 ? rows : [[span(cleanName(request.title))]];
}

/** Line breaks of the command are its own; where the screen is too narrow a mark says so. */
function commandRows(command: string, width: number): Span[][] {
  return cleanCommand(command)
    .split('\n')
    .flatMap((line) =>
      breakRuns([span(line, 'strong')], Math.max(1, width - 2)).map((spans, part) => [
        part === 0 ? span('  ') : span('↪ ', 'dim'),
        ...spans,
      ]),
    );
}

function viewRows(view: ToolView, width: number): readonly (readonly Span[])[] {
  switch (view.kind) {
    case 'diff':
      return diffRows(view, width);
    case 'diffs':
      return diffsRows(view.files, width);
    case 'files':
      return filesRows(view, width);
    case 'table':
      return tableViewRows(view, width);
    case 'text':
    case 'markdown':
      return plainRows(view.text, { width, token: 'text', how: 'wrap' });
    case 'terminal':
      return plainRows(view.output, { width, token: 'text' });
    case 'image':
      return [[span(cleanName(view.path))]];
  }
}

/** How the command is to be run, as far as the call says: its time limit, in the background. */
function optionRows(input: JsonValue, { command, width }: { command: string; width: number }): Span[][] {
  const shown = argumentsOf(input).filter(
    ([key, value]) => key !== 'command' && key !== 'description' && value !== cleanName(command),
  );
  return shown.flatMap(([key, value]) => breakRuns([span(`  with ${key}: ${value}`, 'dim')], width));
}

function argumentsOf(input: JsonValue): readonly (readonly [key: string, value: string])[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  return Object.entries(input).map(([key, value]) => [
    cleanName(key),
    cleanName(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
}
