import type { ThreadHeader } from '#protocol/thread-entry.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ExportFormat } from './export-format.ts';
import type { ThreadHeading } from './thread-heading.ts';
import { threadMarkdown } from './thread-markdown.ts';

type Exported = {
  heading: ThreadHeading;
  state: ThreadState;
  /** null: the thread is kept in no log. */
  header: ThreadHeader | null;
};

/** A whole conversation as the text of a file. */
export async function exportText(
  format: ExportFormat,
  { heading, state, header }: Exported,
): Promise<string> {
  switch (format) {
    case 'markdown':
      return `${threadMarkdown(heading, state)}\n`;
    case 'json':
      return `${JSON.stringify({ schema_version: 1, header, state }, null, 2)}\n`;
    case 'html': {
      const { threadHtml } = await import('./thread-html.ts');
      return threadHtml(heading, state);
    }
  }
}
