/** Where the transcript stands. An anchor names the cell and the row in it that is the first on the screen. */
export type ScrollState =
  | { kind: 'follow' }
  | { kind: 'anchor'; cellId: string; row: number; left: ScrollMark | null };

/** The end of the transcript when the person scrolled away; what comes after it is new. */
export type ScrollMark = { cellId: string; rows: number };

/** Something that only this screen says; it stands behind the message `afterId` (null: before all of them). */
export type TranscriptNote = { id: string; afterId: string | null } & (
  | { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string }
  | { kind: 'turn-end'; reason: string; text: string }
  | {
      kind: 'compaction';
      summary: string;
      tokensBefore: number | null;
      tokensAfter: number | null;
      dropped?: string;
    }
);

/** Words that are looked for in the conversation, and what is found of them so far. */
export type SearchView = {
  readonly query: string;
  /** The words stand; keys go from match to match. */
  readonly isWalking: boolean;
  readonly count: number;
  /** The number of the current match, from the oldest; 0 = none. */
  readonly at: number;
  /** All of the conversation is read. */
  readonly isComplete: boolean;
  /** Its cell is open as long as the match is the current one. */
  readonly current: { readonly cellId: string; readonly nth: number } | null;
};

/** A cell of the screen that the mouse is on, held by what stands there: the cell, its own row, and the column. */
export type TextPoint = { readonly cellId: string; readonly row: number; readonly column: number };

/** What the mouse was dragged over; both ends belong to it, in either order. */
export type TextSelection = { readonly from: TextPoint; readonly to: TextPoint };

/** What the person sees of a thread, besides the thread. Never asked by the engine. */
export type ViewState = {
  readonly scroll: ScrollState;
  /** Cells are open unless the person closed them, not the other way round. */
  readonly opensAll: boolean;
  /** Cells that the person opened, or closed where all are open. */
  readonly expanded: ReadonlySet<string>;
  readonly notes: readonly TranscriptNote[];
  readonly search: SearchView | null;
  readonly selection: TextSelection | null;
};

export function isOpenCell({ opensAll, expanded }: ViewState, cellId: string): boolean {
  return expanded.has(cellId) !== opensAll;
}

/** The cells to toggle so that this one is open. */
export function withOpenCell(view: ViewState, cellId: string): ReadonlySet<string> {
  if (isOpenCell(view, cellId)) return view.expanded;
  const expanded = new Set(view.expanded);
  if (!expanded.delete(cellId)) expanded.add(cellId);
  return expanded;
}

export const startView: ViewState = {
  scroll: { kind: 'follow' },
  opensAll: false,
  expanded: new Set(),
  notes: [],
  search: null,
  selection: null,
};
