import { cleanName } from '#lib/terminal-text.ts';
import { padToWidth, textWidth } from '#lib/text-width.ts';

/** Columns under each other, two blanks apart; the last one is not padded. Each cell becomes one line of plain text. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const rows = table.map((row) => row.map(cleanName));
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
    });
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padToWidth(cell, widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
