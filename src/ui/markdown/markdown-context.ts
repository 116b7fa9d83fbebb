import type { Span } from '../theme/span.ts';

/** Highlighted lines of code; undefined while they are not at hand. Asks for nothing. */
export type Highlight = (code: string, language: string) => readonly (readonly Span[])[] | undefined;

/** Code that was rendered plain although its language is known, and the rows of the text that it is part of. */
export type PlainCode = {
  readonly code: string;
  readonly language: string;
  readonly from: number;
  readonly to: number;
};

export type MarkdownContext = {
  /** Cells that a row may take. */
  readonly width: number;
  /** Without colours inline code keeps its backticks, or nothing would tell it apart. */
  readonly showsMarks: boolean;
  readonly highlight: Highlight;
};

export function narrower(context: MarkdownContext, cells: number): MarkdownContext {
  return { ...context, width: Math.max(1, context.width - cells) };
}
