import { formatUsd, shortCount } from '#lib/amounts.ts';
import type { ModelPrice } from '#protocol/model-ref.ts';
import type { UsageTotals } from '#protocol/usage.ts';
import { isUnpriced, spentUsd } from '#protocol/usage-totals.ts';

/** `950 tok`, `18.2k tok`, `1.2M tok`. */
export function formatTokens(count: number): string {
  return `${shortCount(count)} tok`;
}

/**
 * What the thread and the peers asked from it have cost, with a trailing `+` when some calls had no known price, and what the model costs where
 * that is not the same: a price that is not known is never shown as nothing.
 */
export function formatCost(totals: UsageTotals, price: ModelPrice | undefined): string {
  const costUsd = spentUsd(totals);
  const unpriced = isUnpriced(totals);
  const { steps } = totals;
  if (costUsd > 0) {
    const now = price === 'free' ? ' · now free' : price === 'unknown' && !unpriced ? ' · price ?' : '';
    return `${formatUsd(costUsd)}${unpriced ? '+' : ''}${now}`;
  }
  if (unpriced || price === 'unknown') return 'price ?';
  if (price === 'known') return '$0';
  return price === 'free' || steps > 0 ? 'free' : '';
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
