import type { Highlighter } from '../markdown/highlighter.ts';
import type { LiveMarkdown } from '../markdown/live-markdown.ts';
import type { Theme } from '../theme/theme.ts';
import { type Cell, isSameCell } from './cell.ts';
import type { CellContext, CellRows } from './cell-context.ts';
import { liveAssistantText } from './cells/assistant-text.ts';
import { renderCell } from './render-cell.ts';
import type { Row } from './row.ts';

export type RowLook = { readonly width: number; readonly theme: Theme };

const keptCells = 500;

type Known = {
  cell: Cell;
  width: number;
  themeId: string;
  expanded: boolean;
  /** The highlighter's version when some code had no colours yet; null when all had. */
  plainSince: number | null;
  result: CellRows<Row>;
  live: LiveMarkdown | undefined;
};

/** Rows by cell. Bounded; an entry for another width or theme is replaced when its cell is drawn again. */
export class RowCache {
  readonly #highlighter: Highlighter;
  readonly #known = new Map<string, Known>();
  /** Cells rendered since the start; what tests count instead of time. */
  renders = 0;

  constructor(highlighter: Highlighter) {
    this.#highlighter = highlighter;
  }

  rowsOf(cell: Cell, { width, theme, expanded }: RowLook & { expanded: boolean }): CellRows<Row> {
    const known = this.#known.get(cell.id);
    const isSameLook =
      known?.width === width && known.themeId === theme.id && known.expanded === expanded ? known : undefined;
    const isOutdated =
      isSameLook?.plainSince != null && isSameLook.plainSince !== this.#highlighter.version();
    if (isSameLook && !isOutdated && isSameCell(isSameLook.cell, cell)) {
      this.#known.delete(cell.id);
      this.#known.set(cell.id, isSameLook);
      return isSameLook.result;
    }
    this.renders += 1;
    const context: CellContext = { width, theme, expanded, highlight: this.#highlighter.highlight };
    const version = this.#highlighter.version();
    let live: LiveMarkdown | undefined;
    let result: CellRows<Row>;
    if (cell.kind === 'text' && cell.isLive) {
      live = isSameLook?.live ?? liveAssistantText(context);
      if (isOutdated) live.refreshCode();
      const rows = live.update(cell.part.text.trimStart());
      result = { rows, canExpand: false, plainCode: live.plainCode() };
    } else {
      result = renderCell(cell, context);
    }
    const plainSince = result.plainCode && result.plainCode.length > 0 ? version : null;
    this.#known.delete(cell.id);
    this.#known.set(cell.id, { cell, width, themeId: theme.id, expanded, plainSince, result, live });
    this.#trim();
    return result;
  }

  #trim(): void {
    if (this.#known.size <= keptCells) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
