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

/** What the person sees of a thread, besides the thread. Never asked by the engine. */
export type ViewState = {
  readonly scroll: ScrollState;
  /** Cells that the person opened. */
  readonly expanded: ReadonlySet<string>;
  readonly notes: readonly TranscriptNote[];
};

export const startView: ViewState = { scroll: { kind: 'follow' }, expanded: new Set(), notes: [] };
