import type { MarkdownContext } from './markdown-context.ts';

export type Missed = { readonly code: string; readonly language: string };

/** The same context, which also tells what code had no colours yet. */
export function noteMissed(context: MarkdownContext, onMiss: (missed: Missed) => void): MarkdownContext {
  return {
    ...context,
    highlight: (code, language) => {
      const lines = context.highlight(code, language);
      if (!lines) onMiss({ code, language });
      return lines;
    },
  };
}
