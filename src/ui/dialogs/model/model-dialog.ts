import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { keepSelection } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import type { TextField } from '../text-field.ts';
import { currentRowId, type ModelRow, type ModelSources, modelRows, rowIds } from './model-rows.ts';
import { emptyProviderForm, type ProviderForm, reduceProviderForm } from './provider-form.ts';

export type ModelDialog = {
  readonly kind: 'model';
  /** Nothing can be done before a model is chosen: Escape leaves the program. */
  readonly isFirstRun: boolean;
  readonly current: ModelRef | null;
  readonly choices: readonly ModelChoice[];
  /** Servers may still answer. */
  readonly isSearching: boolean;
  /** Why the search failed as a whole. */
  readonly failure: string | null;
  readonly picker: Picker;
  /** The form for a new provider, while it lies over the list. */
  readonly form: ProviderForm | null;
};

export function openModels(options: { isFirstRun: boolean; current: ModelRef | null }): ModelDialog {
  return {
    kind: 'model',
    ...options,
    choices: [],
    isSearching: true,
    failure: null,
    picker: emptyPicker,
    form: null,
  };
}

export function reduceModels(
  dialog: ModelDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ModelDialog> | undefined {
  if (dialog.form) return reduceForm(dialog, dialog.form, { key, scene });
  if (keyName(key) === 'ctrl+r')
    return step({ ...dialog, isSearching: true, failure: null }, { kind: 'find-models' });
  const rows = modelRows(dialog, dialog.picker.filter.text);
  const read = readPickerKey(dialog.picker, key, { ids: rowIds(rows), scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter':
      return step(withFilter(dialog, read.filter));
    case 'choose':
      return choose(
        dialog,
        rows.find((row) => row.id === dialog.picker.list.selected),
      );
    case 'leave':
      return leave(dialog, key);
    case undefined:
      return undefined;
  }
}

/** Takes in what was found so far. The selected row stays selected, and at its height in the window. */
export function withChoices(dialog: ModelDialog, choices: readonly ModelChoice[]): ModelDialog {
  const { list, filter } = dialog.picker;
  const before = rowIds(modelRows(dialog, filter.text));
  const after = rowIds(modelRows({ ...dialog, choices }, filter.text));
  const known = list.selected === undefined ? firstSelection({ ...dialog, choices }, after) : list;
  return { ...dialog, choices, picker: { filter, list: keepSelection(known, before, after) } };
}

/** No more choices come. */
export function endSearch(dialog: ModelDialog, failure: string | null): ModelDialog {
  return { ...withChoices(dialog, dialog.choices), isSearching: false, failure };
}

function firstSelection(sources: ModelSources, ids: readonly string[]): Picker['list'] {
  const id = currentRowId(sources);
  return { selected: id !== undefined && ids.includes(id) ? id : ids[0], top: 0 };
}

function withFilter(dialog: ModelDialog, filter: TextField): ModelDialog {
  const ids = rowIds(modelRows(dialog, filter.text));
  const { list } = dialog.picker;
  // The best match, unless nothing is typed any more: then the person is where they were.
  const kept = filter.text === '' ? keepSelection(list, ids, ids) : { selected: ids[0], top: 0 };
  return { ...dialog, picker: { filter, list: kept } };
}

function choose(dialog: ModelDialog, row: ModelRow | undefined): Step<ModelDialog> {
  switch (row?.kind) {
    case 'choice':
      return step(dialog, { kind: 'close' }, { kind: 'choose-model', ref: row.choice.ref });
    case 'typed':
      return step(dialog, { kind: 'close' }, { kind: 'choose-model', ref: row.ref });
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
  const taken = new Set(dialog.choices.map((choice) => choice.ref.provider));
  const next = reduceProviderForm(form, key, { scene, taken });
  if (!next) return undefined;
  if (next === 'leave') return step({ ...dialog, form: null });
  return step({ ...dialog, form: next.state }, ...next.effects);
}
