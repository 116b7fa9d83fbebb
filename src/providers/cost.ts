import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { Usage } from '#protocol/usage.ts';

/** US dollars of one call; null when the price or the usage is unknown. A local model costs nothing. */
export function costOf(usage: Usage | null, info: ModelInfo): number | null {
  if (costsNothing(info)) return 0;
  if (!info.price || !usage || usage.input === null || usage.output === null) return null;
  const { input, output, cacheRead = input, cacheWrite = input } = info.price.value;
  const read = usage.cacheRead ?? 0;
  const written = usage.cacheWrite ?? 0;
  const fresh = Math.max(0, usage.input - read - written);
  return (fresh * input + read * cacheRead + written * cacheWrite + usage.output * output) / 1_000_000;
}
