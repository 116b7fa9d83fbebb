/** `12345` -> `12,345`. */
export function formatCount(count: number): string {
  // The first use of the locale's own rules would take as long as two rounds of tools.
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `950`, `18.2k`, `1.2M`: for amounts that grow while one looks at them. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  // 999,500 and more would read as 1000k.
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** `32k` for 32,768 as for 32,000, `1M`: the size of a context window as a person says it. */
export function formatWindow(tokens: number): string {
  const isBinary = tokens < 1_000_000 && tokens % 1_000 !== 0 && tokens % 1_024 === 0;
  return isBinary ? `${tokens / 1_024}k` : shortCount(tokens).replace('.0', '');
}

/** US dollars: `$3`, `$12.50`, and of small sums two digits that count, `$0.0042`. */
export function formatUsd(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.0001) return '<$0.0001';
  const small = Number(amount.toPrecision(2));
  if (small < 0.1) return `$${small}`;
  return `$${amount < 100 && !Number.isInteger(amount) ? amount.toFixed(2) : formatCount(amount)}`;
}
