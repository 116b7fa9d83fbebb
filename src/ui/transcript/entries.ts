import type { ToolCallPart } from '#protocol/message.ts';
import type { Cell } from './cell.ts';
import { isQuiet } from './cells/tool-group.ts';

/**
 * A cell in its place. `gap` blank rows part it from the one above; `folds` are the ids of the cells that it stands
 * for, so that a place in one of them is not lost.
 */
export type Entry = { readonly cell: Cell; readonly gap: 0 | 1; readonly folds?: readonly string[] };

/** So many quiet calls in a row stay lines of their own. */
const mostSingles = 6;
/** While more may come, the newest calls of a long run stay in sight. */
const keptAtEnd = 3;

/** Folds long runs of quiet calls. `isOpen`: the turn goes on, so a run at the end may still grow. */
export function toEntries(
  cells: readonly Cell[],
  { before, isOpen }: { before: Cell | undefined; isOpen: boolean },
): Entry[] {
  const entries: Entry[] = [];
  const add = (cell: Cell, folds?: readonly string[]) => {
    const last = entries.at(-1)?.cell ?? before;
    entries.push({ cell, gap: last && needsGap(last, cell) ? 1 : 0, ...(folds && { folds }) });
  };
  let index = 0;
  while (index < cells.length) {
    const run = quietRun(cells, index);
    if (run.length > mostSingles) {
      const reachesEnd = index + run.length === cells.length;
      const folded = isOpen && reachesEnd ? run.slice(0, -keptAtEnd) : run;
      const [first] = folded;
      const ids = folded.map((cell) => cell.id);
      if (first)
        add({ id: `group:${first.id}`, kind: 'tool-group', calls: folded.map((cell) => cell.part) }, ids);
      for (const cell of run.slice(folded.length)) add(cell);
      index += run.length;
      continue;
    }
    const taken = Math.max(1, run.length);
    for (const cell of cells.slice(index, index + taken)) add(cell);
    index += taken;
  }
  return entries;
}

type QuietCell = Cell & { readonly part: ToolCallPart };

function quietRun(cells: readonly Cell[], from: number): QuietCell[] {
  const run: QuietCell[] = [];
  for (let index = from; index < cells.length; index += 1) {
    const cell = cells[index];
    if (cell?.kind !== 'tool' || !isQuiet(cell.part)) break;
    run.push(cell);
  }
  return run;
}

function needsGap(above: Cell, below: Cell): boolean {
  const isToolish = (cell: Cell) =>
    cell.kind === 'tool' || cell.kind === 'tool-group' || cell.kind === 'reasoning';
  return !(isToolish(above) && isToolish(below));
}
