import { formatUsd, shortCount } from '#lib/amounts.ts';
import type { UsageTotals } from '#protocol/usage.ts';

/** `950 tok`, `18.2k tok`, `1.2M tok`. */
export function formatTokens(count: number): string {
  return `${shortCount(count)} tok`;
}

/**
 * What the thread has cost: `free` when every call was, `unknown` when no call had a price, a trailing `+` when
 * only some had. Empty before the first call.
 */
export function formatCost({ costUsd, unpriced, steps }: UsageTotals): string {
  if (steps === 0) return '';
  if (costUsd === 0) return unpriced ? 'cost unknown' : 'free';
  return `${formatUsd(costUsd)}${unpriced ? '+' : ''}`;
}

/** `8s`, `3m 04s`, `1h 02m`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
