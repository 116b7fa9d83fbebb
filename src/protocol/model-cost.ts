// Free of zod, like every file here that the first paint needs.
import type { ModelInfo } from './model-ref.ts';

/** A model of this machine costs nothing, unless somebody has set a price for it. */
export function costsNothing({ local, price }: Pick<ModelInfo, 'local' | 'price'>): boolean {
  return local && price === undefined;
}
