import { wrapText } from '#lib/wrap.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import type { TextField } from '../text-field.ts';

/** A field that keys go to, behind its label. */
export type FieldRow = {
  readonly kind: 'field';
  readonly label: readonly Span[];
  readonly field: TextField;
  /** Shown dim while the field is empty. */
  readonly placeholder: string;
  readonly isFocused: boolean;
};

/** `caret`: the column at which the person types. */
export type SheetRow =
  | { readonly kind: 'spans'; readonly spans: readonly Span[]; readonly caret?: number }
  | FieldRow;

/** The part that scrolls. Rows are made only when they are in view. */
export type SheetBody = {
  readonly count: number;
  /** Rows that it takes even when it has fewer: a filter must not move under the person's fingers. */
  readonly reserve?: number;
  row(index: number): SheetRow;
  /** Where the dialog stands; drawing keeps it within bounds. */
  readonly scroll: number;
  /** This row must be in view. */
  readonly reveal?: number;
  /**
   * How it is said that more lies above and below: `loud` where one must not decide without knowing, `none` for a
   * list, whose selection says it.
   */
  readonly counter: 'loud' | 'quiet' | 'none';
};

/** A dialog as it is to be drawn, before it is fitted to a screen. All texts are clean. */
export type Sheet = {
  /** A box stands on its own; a bar is for a screen with nothing else on it. */
  readonly frame: 'box' | 'bar';
  readonly title: string;
  /** At the other end of the title. */
  readonly note: string;
  readonly head: readonly SheetRow[];
  readonly body: SheetBody;
  readonly foot: readonly SheetRow[];
  readonly keys: readonly KeyHint[];
};

/** What a view needs to know of the screen. */
export type ViewScene = {
  /** Cells of a row inside the frame. */
  readonly width: number;
};

export function row(...spans: readonly Span[]): SheetRow {
  return { kind: 'spans', spans };
}

export const blankRow: SheetRow = row(span(''));

export function staticBody(rows: readonly SheetRow[], scroll = 0): SheetBody {
  return { count: rows.length, row: (index) => rows[index] ?? blankRow, scroll, counter: 'quiet' };
}

/** Clean text wrapped to rows. */
export function paragraph(text: string, { width, token }: { width: number; token: ThemeToken }): SheetRow[] {
  return wrapText(text, width).map((line) => row(span(line, token)));
}
