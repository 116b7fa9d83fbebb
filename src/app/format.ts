/** `12345` -> `12,345`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** US dollars with as many digits as small sums need. */
export function formatUsd(amount: number): string {
  if (amount === 0) return '$0';
  return `$${amount < 0.1 ? amount.toPrecision(2) : amount.toFixed(2)}`;
}

/** Columns under each other, two blanks apart; the last one is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
