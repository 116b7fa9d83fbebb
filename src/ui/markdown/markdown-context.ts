import type { Span } from '../theme/span.ts';

/** Highlighted lines of code; undefined while they are not at hand, e.g. because the highlighter still loads. */
export type Highlight = (code: string, language: string) => readonly (readonly Span[])[] | undefined;

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
