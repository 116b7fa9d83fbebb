// Free of zod, like every file here that the first paint needs.
import type { ModelRef } from './model-ref.ts';

/** How hard a reasoning model thinks. `none` switches reasoning off where the vendor can. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** `provider/model[#effort]`; the model id may itself hold slashes and colons. */
export function formatModelRef(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}${ref.effort ? `#${ref.effort}` : ''}`;
}

/** Reads `provider/model[#effort]`. Returns undefined when there is no provider part or an unknown effort. */
export function parseModelRef(text: string): ModelRef | undefined {
  const slash = text.indexOf('/');
  if (slash <= 0) return undefined;
  const provider = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  const hash = rest.lastIndexOf('#');
  const suffix = hash > 0 ? rest.slice(hash + 1) : undefined;
  const effort = efforts.find((known) => known === suffix);
  if (suffix !== undefined && !effort) return undefined;
  const model = effort ? rest.slice(0, hash) : rest;
  if (model === '') return undefined;
  return effort ? { provider, model, effort } : { provider, model };
}
