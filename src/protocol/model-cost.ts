// Free of zod, like every file here that the first paint needs.
import type { ModelInfo, ModelPrice } from './model-ref.ts';

/** A model of this machine costs nothing, unless somebody has set a price for it. */
export function costsNothing({ local, price }: Pick<ModelInfo, 'local' | 'price'>): boolean {
  return local && price === undefined;
}

export function priceClass({ local, price }: Pick<ModelInfo, 'local' | 'price'>): ModelPrice {
  if (!price) return local ? 'free' : 'unknown';
  const { input, output } = price.value;
  return input === 0 && output === 0 ? 'free' : 'known';
}
