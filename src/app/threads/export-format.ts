// Light: the list of commands is there at the first paint.

export const exportFormats = ['markdown', 'html', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export function isExportFormat(text: string): text is ExportFormat {
  return exportFormats.some((format) => format === text);
}

/** By the end of a file's name; Markdown when it says nothing. */
export function formatOfFile(file: string): ExportFormat {
  if (/\.html?$/i.test(file)) return 'html';
  return /\.json$/i.test(file) ? 'json' : 'markdown';
}

export function endingOf(format: ExportFormat): string {
  return format === 'markdown' ? 'md' : format;
}
