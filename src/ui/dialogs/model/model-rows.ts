import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef, parseModelRef } from '#protocol/model-ref-text.ts';
import { matching } from '../matching.ts';

/** One row of the model picker. The last two are always there: whatever was found, there is a way on. */
export type ModelRow =
  | { readonly kind: 'choice'; readonly id: string; readonly choice: ModelChoice }
  /** A model that nobody listed, typed as `provider/model`. */
  | { readonly kind: 'typed'; readonly id: string; readonly ref: ModelRef }
  | { readonly kind: 'add'; readonly id: string }
  | { readonly kind: 'demo'; readonly id: string };

/** The rows that match `filter`: grouped by provider as long as nothing is typed, then the best match first. */
export function modelRows(choices: readonly ModelChoice[], filter: string): readonly ModelRow[] {
  const offered = choices.filter((choice) => choice.source !== 'demo');
  const found = matching(
    filter,
    byProvider(offered),
    (choice) => `${formatModelRef(choice.ref)} ${choice.label}`,
  );
  const rows = found.map((choice): ModelRow => ({ kind: 'choice', id: formatModelRef(choice.ref), choice }));
  return [
    ...rows,
    ...typedRow(offered, filter.trim()),
    { kind: 'add', id: ':add' },
    { kind: 'demo', id: ':demo' },
  ];
}

export function rowIds(rows: readonly ModelRow[]): string[] {
  return rows.map((row) => row.id);
}

/** Providers stand in the order in which they were first heard of, so that a late answer moves no group. */
function byProvider(choices: readonly ModelChoice[]): readonly ModelChoice[] {
  const groups = new Map<string, ModelChoice[]>();
  for (const choice of choices) {
    const group = groups.get(choice.ref.provider);
    if (group) group.push(choice);
    else groups.set(choice.ref.provider, [choice]);
  }
  return [...groups.values()].flat();
}

function typedRow(choices: readonly ModelChoice[], filter: string): ModelRow[] {
  const ref = parseModelRef(filter);
  if (!ref || !choices.some((choice) => choice.ref.provider === ref.provider)) return [];
  if (choices.some((choice) => formatModelRef(choice.ref) === filter)) return [];
  return [{ kind: 'typed', id: `:typed ${filter}`, ref }];
}
