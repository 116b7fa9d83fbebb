import type { ModelChoice, ModelMarks, ModelRef } from '#protocol/model-ref.ts';
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
  /** These stand before all others, also when nobody lists them. */
  readonly marks: ModelMarks;
};

export const noMarks: ModelMarks = { recent: [], favourites: [] };

/**
 * The rows that match `filter`: as long as nothing is typed those that the person goes back to, then the others
 * grouped by provider; else the best match first.
 */
export function modelRows(sources: ModelSources, filter: string): readonly ModelRow[] {
  const offered = offeredChoices(sources);
  const choices = offered.map((choice): ModelRow => ({ kind: 'choice', id: modelId(choice.ref), choice }));
  // Ranked as one: Enter on "demo" must not take a model that only has these letters somewhere.
  const found = matching(filter, [...choices, ...wayRows], searchedText);
  const otherWays = wayRows.filter((way) => !found.includes(way));
  return [...found, ...typedRow(offered, filter.trim()), ...otherWays];
}

/** True when the row is there because it matches, and not because it always is. */
export function isMatch(row: ModelRow, filter: string): boolean {
  return row.kind === 'choice' || row.kind === 'typed' || matching(filter, [row], searchedText).length > 0;
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

/** The id of a model's row: the same for each of its efforts. */
export function modelId({ provider, model }: ModelRef): string {
  return formatModelRef({ provider, model });
}

/** The id of the row of the model in use. */
export function currentRowId({ current }: Pick<ModelSources, 'current'>): string | undefined {
  return current ? modelId(current) : undefined;
}

export function isAmong(refs: readonly ModelRef[], ref: ModelRef): boolean {
  return refs.some((each) => isSameModel(each, ref));
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

function offeredChoices({ choices, current, marks }: ModelSources): readonly ModelChoice[] {
  const offered = choices.filter(({ source }) => source !== 'demo');
  const choiceOf = (ref: ModelRef, detail: string): ModelChoice =>
    offered.find((choice) => isSameModel(choice.ref, ref)) ?? {
      ref: { provider: ref.provider, model: ref.model },
      label: ref.model,
      source: 'config',
      detail,
    };
  const isListed =
    current === null ||
    isAmong(
      offered.map(({ ref }) => ref),
      current,
    );
  const inUse = current && !isListed && current.provider !== 'demo' ? [current] : [];
  const first = [
    ...inUse.map((ref) => choiceOf(ref, 'in use now')),
    ...[...marks.recent, ...marks.favourites].map((ref) => choiceOf(ref, 'not listed by its provider now')),
  ];
  return uniqueChoices([...first, ...byProvider(offered)]);
}

function uniqueChoices(choices: readonly ModelChoice[]): readonly ModelChoice[] {
  const byId = new Map<string, ModelChoice>();
  for (const choice of choices) if (!byId.has(modelId(choice.ref))) byId.set(modelId(choice.ref), choice);
  return [...byId.values()];
}

function isSameModel(one: ModelRef, two: ModelRef): boolean {
  return one.provider === two.provider && one.model === two.model;
}

export function rowIds(rows: readonly ModelRow[]): string[] {
  return rows.map((row) => row.id);
}

/** Providers stand in the order in which they were first heard of, so that a late answer moves no group. */
function byProvider(choices: readonly ModelChoice[]): readonly ModelChoice[] {
  return [...Map.groupBy(choices, ({ ref }) => ref.provider).values()].flat();
}

function typedRow(choices: readonly ModelChoice[], filter: string): ModelRow[] {
  const ref = parseModelRef(filter);
  if (!ref || !choices.some((choice) => choice.ref.provider === ref.provider)) return [];
  if (choices.some((choice) => formatModelRef(choice.ref) === filter)) return [];
  return [{ kind: 'typed', id: `:typed ${filter}`, ref }];
}

/** The model that a row stands for, without its effort. */
export function refOf(row: ModelRow): ModelRef | undefined {
  if (row.kind === 'choice') return row.choice.ref;
  return row.kind === 'typed' ? row.ref : undefined;
}
