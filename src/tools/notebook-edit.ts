import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { changeTarget } from './files/change-target.ts';
import { diffView } from './files/diff-view.ts';
import { notText } from './files/not-text.ts';
import {
  cellIndex,
  hasIds,
  type Notebook,
  type NotebookCell,
  parseNotebook,
  sourceLike,
} from './files/notebook.ts';
import { planPreview } from './files/plan-preview.ts';
import { problemResult } from './files/problem-result.ts';
import { markRefusal } from './files/secret-marks.ts';
import { absolutePath, changesPath, toolPath } from './files/tool-path.ts';
import { type PlannedChange, writeChange } from './files/write-change.ts';
import prose from './notebook-edit.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';

const commands = ['replace', 'insert', 'delete'] as const;
const cellTypes = ['code', 'markdown', 'raw'] as const;
type Input = {
  path: string;
  command?: (typeof commands)[number] | undefined;
  cell?: string | undefined;
  source?: string | undefined;
  cell_type?: (typeof cellTypes)[number] | undefined;
};

export const notebookEdit = defineTool<Input>({
  name: 'notebook_edit',
  aliases: ['NotebookEdit'],
  inputAliases: {
    notebook_path: 'path',
    file_path: 'path',
    edit_mode: 'command',
    cell_id: 'cell',
    cell_index: 'cell',
    new_source: 'source',
  },
  prose,
  input: looseInput({
    path: toolPath,
    command: z.enum(commands).optional(),
    cell: z.string().optional(),
    source: z.string().optional(),
    cell_type: z.enum(cellTypes).optional(),
  }),
  effect: 'write',
  isDeferred: true,
  ...changesPath,
  preview: async (input, ctx) => planPreview(await plan(input, ctx)),
  async run(input, ctx) {
    const planned = await plan(input, ctx);
    return 'status' in planned ? planned : writeChange(planned, ctx.signal);
  },
});

async function plan(input: Input, ctx: ToolContext): Promise<PlannedChange | ToolResult> {
  const target = await changeTarget(input.path, ctx, { mustBeRead: true });
  if ('status' in target) return target;
  const { shown, current } = target;
  if (!current)
    return problemResult(
      { kind: 'missing' },
      { file: absolutePath(input.path, ctx.cwd), ctx, use: 'changed' },
    );
  if (current.decoded.kind === 'foreign') return notText(shown, current.decoded);
  const parsed = parseNotebook(current.decoded);
  if (typeof parsed === 'string') return toolError('not_a_notebook', `${shown} is not changed: ${parsed}.`);
  const { notebook } = parsed;
  const index = input.cell === undefined ? notebook.cells.length : cellIndex(notebook, input.cell);
  if (index === -1 || (index === notebook.cells.length && input.command !== 'insert'))
    return toolError(
      'no_cell',
      `${shown} has ${input.cell === undefined ? 'to be told which cell is meant' : `no cell ${input.cell}`}: it has ${count(notebook.cells.length, 'cell')}, numbered from 0.`,
    );
  const cells = changedCells(notebook, { ...input, index });
  if (typeof cells === 'string') return toolError('invalid_argument', cells);
  const before = 'text' in current.decoded ? current.decoded.text : '';
  const { text, bytes } = parsed.encode({ ...notebook, cells });
  const refusal = markRefusal(target, text, ctx);
  if (refusal) return refusal;
  const verb = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' }[input.command ?? 'replace'];
  return {
    target,
    bytes,
    view: diffView({ path: shown, before, after: text }),
    text: `${verb} cell ${index} of ${shown}; it has ${count(cells.length, 'cell')} now.`,
  };
}

/** A string is what is wrong with the call. */
function changedCells(
  notebook: Notebook,
  { command = 'replace', source, cell_type, index }: Input & { index: number },
): NotebookCell[] | string {
  const { cells } = notebook;
  if (command === 'delete') return cells.toSpliced(index, 1);
  if (source === undefined) return `source is missing: the new text of the cell.`;
  if (command === 'insert')
    return cells.toSpliced(index, 0, newCell(notebook, { source, type: cell_type ?? 'code' }));
  const cell = cells[index];
  return cell
    ? cells.with(index, replaced(cell, { source, type: cell_type ?? cell.cell_type }))
    : 'There is no such cell.';
}

type NewText = { source: string; type: NotebookCell['cell_type'] };

/** What a cell has put out no longer belongs to its new text. */
function replaced(cell: NotebookCell, { source, type }: NewText): NotebookCell {
  const { outputs: _outputs, execution_count: _count, ...rest } = cell;
  const changed = { ...rest, cell_type: type, source: sourceLike(source, cell.source) };
  if (type !== 'code') return changed;
  // Keys that were there keep their places.
  const isCode = cell.cell_type === 'code';
  return isCode
    ? { ...cell, source: changed.source, outputs: [], execution_count: null }
    : { ...changed, outputs: [], execution_count: null };
}

function newCell(notebook: Notebook, { source, type }: NewText): NotebookCell {
  const base = {
    cell_type: type,
    ...(type === 'code' ? { execution_count: null } : {}),
    ...(hasIds(notebook) ? { id: randomBytes(4).toString('hex') } : {}),
    metadata: {},
    ...(type === 'code' ? { outputs: [] } : {}),
  };
  return { ...base, source: sourceLike(source, notebook.cells[0]?.source) };
}
