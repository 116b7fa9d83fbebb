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

/** What the rows are made of. */
export type ModelSources = {
  readonly choices: readonly ModelChoice[];
  /** The model in use; it has a row even when nobody lists it. */
  readonly current: ModelRef | null;
};

/** The rows that match `filter`: grouped by provider as long as nothing is typed, then the best match first. */
export function modelRows(sources: ModelSources, filter: string): readonly ModelRow[] {
  const offered = offeredChoices(sources);
  const choices = byProvider(offered).map(
    (choice): ModelRow => ({ kind: 'choice', id: formatModelRef(choice.ref), choice }),
  );
  // Ranked as one: Enter on "demo" must not take a model that only has these letters somewhere.
  const found = matching(filter, [...choices, ...wayRows], searchedText);
  const otherWays = wayRows.filter((way) => !found.includes(way));
  return [...found, ...typedRow(offered, filter.trim()), ...otherWays];
}

function searchedText(row: ModelRow): string {
  switch (row.kind) {
    case 'choice':
      return `${row.id} ${row.choice.label}`;
    case 'typed':
      return row.id;
    case 'add':
    case 'demo':
      return ways[row.kind].label;
  }
}

/** The id of the row of the model in use. */
export function currentRowId({ choices, current }: ModelSources): string | undefined {
  const listed = choices.find(({ ref }) => ref.provider === current?.provider && ref.model === current.model);
  if (listed) return formatModelRef(listed.ref);
  return current ? formatModelRef(current) : undefined;
}

/** True when some server or vendor offers something. */
export function hasOffers(choices: readonly ModelChoice[]): boolean {
  return choices.some(({ source }) => source !== 'demo');
}

export const ways = {
  add: { label: 'add a provider…', detail: 'any OpenAI-compatible address' },
  demo: { label: 'offline demo', detail: 'no model, no network: watch a scripted session' },
} as const;

const wayRows: readonly ModelRow[] = [
  { kind: 'add', id: ':add' },
  { kind: 'demo', id: ':demo' },
];

function offeredChoices({ choices, current }: ModelSources): readonly ModelChoice[] {
  const offered = choices.filter(({ source }) => source !== 'demo');
  if (!current || current.provider === 'demo') return offered;
  if (offered.some(({ ref }) => ref.provider === current.provider && ref.model === current.model))
    return offered;
  return [{ ref: current, label: current.model, source: 'config', detail: 'in use now' }, ...offered];
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
