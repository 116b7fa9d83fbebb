import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelChoice, ModelMarks, ModelRef, SilentProvider } from '#protocol/model-ref.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { keepSelection } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import type { TextField } from '../text-field.ts';
import {
  currentRowId,
  isAmong,
  isMatch,
  type ModelRow,
  modelId,
  modelRows,
  noMarks,
  rowIds,
} from './model-rows.ts';
import { reducePreflight } from './preflight-keys.ts';
import { emptyProviderForm, type ProviderForm, reduceProviderForm } from './provider-form.ts';
import { type RowEfforts, rowEffort, rowRef, steppedEffort } from './row-effort.ts';

export type ModelDialog = {
  readonly kind: 'model';
  /** Nothing can be done before a model is chosen: Escape leaves the program. */
  readonly isFirstRun: boolean;
  readonly current: ModelRef | null;
  readonly choices: readonly ModelChoice[];
  readonly marks: ModelMarks;
  /** Servers may still answer. */
  readonly isSearching: boolean;
  /** Providers of the person that did not. */
  readonly silent: readonly SilentProvider[];
  /** Why the search or the look at a model failed. */
  readonly failure: string | null;
  readonly picker: Picker;
  readonly efforts: RowEfforts;
  /** The form for a new provider, while it lies over the list. */
  readonly form: ProviderForm | null;
  /** The model that was chosen, while it is found out what switching to it means. */
  readonly checking: ModelRef | null;
  /** What switching means, while the person decides. */
  readonly card: ModelPreflight | null;
  /** There is no list behind the card. */
  readonly isCardOnly: boolean;
};

export function openModels(options: { isFirstRun: boolean; current: ModelRef | null }): ModelDialog {
  return {
    kind: 'model',
    ...options,
    choices: [],
    marks: noMarks,
    isSearching: true,
    silent: [],
    failure: null,
    picker: emptyPicker,
    efforts: {},
    form: null,
    checking: null,
    card: null,
    isCardOnly: false,
  };
}

export function openCard(card: ModelPreflight): ModelDialog {
  return { ...openModels({ isFirstRun: false, current: null }), isSearching: false, card, isCardOnly: true };
}

export function reduceModels(
  dialog: ModelDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ModelDialog> | undefined {
  if (dialog.card) return reducePreflight(dialog, dialog.card, key);
  if (dialog.form) return reduceForm(dialog, dialog.form, { key, scene });
  const rows = modelRows(dialog, dialog.picker.filter.text);
  const selected = rows.find((row) => row.id === dialog.picker.list.selected);
  const own = reduceOwnKey(dialog, key, selected);
  if (own) return own;
  const read = readPickerKey(dialog.picker, key, { ids: rowIds(rows), scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter':
      return step(withFilter(dialog, read.filter));
    case 'choose':
      return choose(dialog, selected);
    case 'leave':
      return leave(dialog, key);
    case undefined:
      return undefined;
  }
}

/** Takes in what was found so far. The selected row stays selected, and at its height in the window. */
export function withChoices(dialog: ModelDialog, choices: readonly ModelChoice[]): ModelDialog {
  return withSources(dialog, { choices });
}

export function withMarks(dialog: ModelDialog, marks: ModelMarks): ModelDialog {
  return withSources(dialog, { marks });
}

/** No more choices come. */
export function endSearch(dialog: ModelDialog, failure: string | null): ModelDialog {
  return withSources({ ...dialog, isSearching: false, failure }, {});
}

function withSources(
  dialog: ModelDialog,
  changes: Partial<Pick<ModelDialog, 'choices' | 'marks'>>,
): ModelDialog {
  const { list, filter } = dialog.picker;
  const next = { ...dialog, ...changes };
  const before = rowIds(modelRows(dialog, filter.text));
  const after = modelRows(next, filter.text);
  const known = list.selected === undefined ? firstSelection(next, after) : list;
  if (known.selected === undefined) return next;
  return { ...next, picker: { filter, list: keepSelection(known, before, rowIds(after)) } };
}

/** The best match, without a filter the model in use. Nothing as long as a match may still be found. */
function firstSelection(dialog: ModelDialog, rows: readonly ModelRow[]): Picker['list'] {
  const { picker, isSearching } = dialog;
  const filter = picker.filter.text;
  const inUse = filter === '' ? rows.find(({ id }) => id === currentRowId(dialog)) : undefined;
  const [first] = rows;
  const isFound = first !== undefined && (filter === '' ? !isWay(first) : isMatch(first, filter));
  const found = isFound || !isSearching ? first : undefined;
  return { selected: (inUse ?? found)?.id, top: 0 };
}

function isWay({ kind }: ModelRow): boolean {
  return kind === 'add' || kind === 'demo';
}

function reduceOwnKey(
  dialog: ModelDialog,
  key: KeyPress,
  selected: ModelRow | undefined,
): Step<ModelDialog> | undefined {
  switch (keyName(key)) {
    case 'ctrl+r':
      return step({ ...dialog, isSearching: true, failure: null }, { kind: 'find-models' });
    case 'alt+p':
      return dialog.isFirstRun ? step(dialog) : step(dialog, { kind: 'close' });
    case 'ctrl+f':
      return mark(dialog, selected);
    case 'left':
      return selected && setEffort(dialog, selected, -1);
    case 'right':
      return selected && setEffort(dialog, selected, 1);
    case 'escape':
      return dialog.checking ? step({ ...dialog, checking: null }) : undefined;
    default:
      return undefined;
  }
}

function setEffort(dialog: ModelDialog, row: ModelRow, by: 1 | -1): Step<ModelDialog> | undefined {
  const effort = steppedEffort(row, { from: rowEffort(dialog, row), by });
  if (effort === undefined || row.kind !== 'choice') return undefined;
  return step({ ...dialog, efforts: { ...dialog.efforts, [modelId(row.choice.ref)]: effort } });
}

function mark(dialog: ModelDialog, row: ModelRow | undefined): Step<ModelDialog> {
  if (row?.kind !== 'choice') return step(dialog);
  const { ref } = row.choice;
  const { favourites, recent } = dialog.marks;
  const isFavourite = !isAmong(favourites, ref);
  const marks = {
    recent,
    favourites: isFavourite ? [...favourites, ref] : favourites.filter((each) => !isAmong([ref], each)),
  };
  return step(withMarks(dialog, marks), { kind: 'mark-model', ref, isFavourite });
}

function withFilter(dialog: ModelDialog, filter: TextField): ModelDialog {
  const rows = modelRows(dialog, filter.text);
  const { list } = dialog.picker;
  const next = { ...dialog, picker: { filter, list } };
  // Unless nothing is typed any more: then the person is where they were.
  const isKept = filter.text === '' && list.selected !== undefined;
  const kept = isKept ? keepSelection(list, rowIds(rows), rowIds(rows)) : firstSelection(next, rows);
  return { ...next, picker: { filter, list: kept } };
}

function choose(dialog: ModelDialog, row: ModelRow | undefined): Step<ModelDialog> {
  switch (row?.kind) {
    case 'choice':
    case 'typed': {
      const ref = rowRef(dialog, row);
      if (!ref) return step(dialog);
      // Without a model so far there is nothing to lose.
      if (dialog.current === null) return step(dialog, { kind: 'close' }, { kind: 'choose-model', ref });
      return step({ ...dialog, checking: ref, failure: null }, { kind: 'check-model', ref });
    }
    case 'add':
      return step({ ...dialog, form: emptyProviderForm });
    case 'demo':
      return step(dialog, { kind: 'close' }, { kind: 'start-demo' });
    case undefined:
      return step(dialog);
  }
}

function leave(dialog: ModelDialog, key: KeyPress): Step<ModelDialog> | undefined {
  if (!dialog.isFirstRun) return step(dialog, { kind: 'close' });
  // Ctrl+C has its own way out of the program.
  return keyName(key) === 'escape' ? step(dialog, { kind: 'exit' }) : undefined;
}

function reduceForm(
  dialog: ModelDialog,
  form: ProviderForm,
  { key, scene }: { key: KeyPress; scene: KeyScene },
): Step<ModelDialog> | undefined {
  const { choices, silent } = dialog;
  const taken = new Set([
    ...choices.map(({ ref }) => ref.provider),
    ...silent.map(({ provider }) => provider),
  ]);
  const next = reduceProviderForm(form, key, { scene, taken });
  if (!next) return undefined;
  if (next === 'leave') return step({ ...dialog, form: null });
  return step({ ...dialog, form: next.state }, ...next.effects);
}
