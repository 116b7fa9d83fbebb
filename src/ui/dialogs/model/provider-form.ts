import type { ProviderDraft } from '#protocol/screen-port.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { moveByKey } from '../picker.ts';
import { scrollByKey } from '../scroll-keys.ts';
import { editField, emptyField, type TextField } from '../text-field.ts';
import {
  offeredModels,
  placeAsked,
  type ServerModels,
  unaskedModels,
  withFirstSelected,
} from './provider-models.ts';

/** The model comes last: by then its server can be asked what it has. */
export const formFields = ['id', 'baseUrl', 'apiKeyEnv', 'model'] as const;
export type FormField = (typeof formFields)[number];

export type ProviderReview = { readonly file: string; readonly text: string; readonly scroll: number };

export type ProviderForm = {
  readonly fields: Readonly<Record<FormField, TextField>>;
  readonly focus: FormField;
  readonly models: ServerModels;
  /** What is wrong with a field; looked for when the person wants to go on. */
  readonly problem: { readonly field: FormField; readonly text: string } | null;
  /** What would be written, while the person is asked; null while they fill the form in. */
  readonly review: ProviderReview | null;
};

export const emptyProviderForm: ProviderForm = {
  fields: { id: emptyField, baseUrl: emptyField, model: emptyField, apiKeyEnv: emptyField },
  focus: 'id',
  models: unaskedModels,
  problem: null,
  review: null,
};

export function reduceProviderForm(
  form: ProviderForm,
  key: KeyPress,
  { scene, taken }: { scene: KeyScene; taken: ReadonlySet<string> },
): Step<ProviderForm> | 'leave' | undefined {
  return form.review
    ? reduceReview(form, form.review, { key, scene })
    : reduceFields(form, key, { scene, taken });
}

export function draftOf({ fields, models }: ProviderForm): ProviderDraft {
  return {
    id: fields.id.text.trim(),
    baseUrl: fields.baseUrl.text.trim(),
    // What is chosen in the list is what is typed, once the list is there.
    model: (models.state === 'listed' ? models.list.selected : undefined) ?? fields.model.text.trim(),
    apiKeyEnv: fields.apiKeyEnv.text.trim(),
  };
}

/** The first thing that is wrong with a draft. `taken`: ids of providers that are there already. */
export function draftProblem(draft: ProviderDraft, taken: ReadonlySet<string>): ProviderForm['problem'] {
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(draft.id))
    return { field: 'id', text: 'a short name of your choice: letters, digits, - and _' };
  if (taken.has(draft.id)) return { field: 'id', text: `there is a provider ${draft.id} already` };
  const url = URL.canParse(draft.baseUrl) ? new URL(draft.baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return { field: 'baseUrl', text: 'an address that begins with http:// or https://' };
  if (url.username !== '' || url.password !== '')
    return { field: 'baseUrl', text: 'keep the key out of the address: name its variable below' };
  if (draft.model === '') return { field: 'model', text: 'the name by which that server knows the model' };
  if (draft.apiKeyEnv !== '' && !isVariableName(draft.apiKeyEnv))
    return { field: 'apiKeyEnv', text: 'the name of an environment variable, never the key itself' };
  return null;
}

/** Keys of many vendors would pass as names of variables; their lengths and beginnings give them away. */
function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text) && !/^(sk|pk|gsk|hf|xai|key)_/.test(text);
}

function reduceFields(
  form: ProviderForm,
  key: KeyPress,
  { scene, taken }: { scene: KeyScene; taken: ReadonlySet<string> },
): Step<ProviderForm> | 'leave' | undefined {
  const index = formFields.indexOf(form.focus);
  const moved = moveInModels(form, key, scene);
  if (moved) return step(moved);
  switch (keyName(key)) {
    case 'escape':
      return 'leave';
    case 'up':
    case 'shift+tab':
      return withFocus(form, formFields[Math.max(0, index - 1)]);
    case 'down':
    case 'tab':
      return withFocus(form, formFields[Math.min(formFields.length - 1, index + 1)]);
    case 'enter':
      if (index < formFields.length - 1) return withFocus(form, formFields[index + 1]);
      return submitFields(form, taken);
  }
  const field = editField(form.fields[form.focus], key, scene.keymap);
  if (!field) return undefined;
  const problem = form.problem?.field === form.focus ? null : form.problem;
  const edited = { ...form, fields: { ...form.fields, [form.focus]: field }, problem };
  return step(form.focus === 'model' ? withFirstSelected(edited) : edited);
}

/** Below the field for the model stand those of the server; above the first of them one is back in the fields. */
function moveInModels(form: ProviderForm, key: KeyPress, scene: KeyScene): ProviderForm | undefined {
  if (form.focus !== 'model' || form.models.state !== 'listed') return undefined;
  const ids = offeredModels(form.models, form.fields.model.text).map(({ id }) => id);
  const { list } = form.models;
  const isFirst = list.selected === undefined || list.selected === ids[0];
  const name = keyName(key);
  if (name === 'shift+tab' || name === 'home' || name === 'end' || (name === 'up' && isFirst))
    return undefined;
  const moved = moveByKey(list, key, { ids, scene });
  return moved && { ...form, models: { ...form.models, list: moved } };
}

function submitFields(form: ProviderForm, taken: ReadonlySet<string>): Step<ProviderForm> {
  const problem = draftProblem(draftOf(form), taken);
  if (problem) return step({ ...form, problem, focus: problem.field });
  return step({ ...form, problem: null }, { kind: 'preview-provider', draft: draftOf(form) });
}

function reduceReview(
  form: ProviderForm,
  review: ProviderReview,
  { key, scene }: { key: KeyPress; scene: KeyScene },
): Step<ProviderForm> | undefined {
  switch (keyName(key)) {
    case 'y':
      return step(form, { kind: 'close' }, { kind: 'add-provider', draft: draftOf(form) });
    case 'n':
    case 'escape':
      return step({ ...form, review: null });
  }
  const scroll = scrollByKey(review.scroll, key, { scene, arrows: true });
  return scroll === undefined ? undefined : step({ ...form, review: { ...review, scroll } });
}

function withFocus(form: ProviderForm, focus: FormField = form.focus): Step<ProviderForm> {
  const next = { ...form, focus };
  if (focus !== 'model' || form.focus === 'model') return step(next);
  const draft = draftOf(form);
  const asked = placeAsked(draft);
  const hasList = form.models.asked === asked && form.models.state !== 'failed';
  if (hasList || draftProblem({ ...draft, id: 'x', model: 'x' }, new Set())) return step(next);
  const models: ServerModels = { ...unaskedModels, state: 'asking', asked };
  return step({ ...next, models }, { kind: 'list-models', draft });
}
