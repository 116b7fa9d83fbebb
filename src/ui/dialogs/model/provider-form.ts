import type { ProviderDraft } from '#protocol/screen-port.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { scrollByKey } from '../scroll-keys.ts';
import { editField, emptyField, type TextField } from '../text-field.ts';

export const formFields = ['id', 'baseUrl', 'model', 'apiKeyEnv'] as const;
export type FormField = (typeof formFields)[number];

export type ProviderReview = { readonly file: string; readonly text: string; readonly scroll: number };

export type ProviderForm = {
  readonly fields: Readonly<Record<FormField, TextField>>;
  readonly focus: FormField;
  /** What is wrong with a field; looked for when the person wants to go on. */
  readonly problem: { readonly field: FormField; readonly text: string } | null;
  /** What would be written, while the person is asked; null while they fill the form in. */
  readonly review: ProviderReview | null;
};

export const emptyProviderForm: ProviderForm = {
  fields: { id: emptyField, baseUrl: emptyField, model: emptyField, apiKeyEnv: emptyField },
  focus: 'id',
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

export function draftOf({ fields }: ProviderForm): ProviderDraft {
  return {
    id: fields.id.text.trim(),
    baseUrl: fields.baseUrl.text.trim(),
    model: fields.model.text.trim(),
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
  switch (keyName(key)) {
    case 'escape':
      return 'leave';
    case 'up':
    case 'shift+tab':
      return step(withFocus(form, formFields[Math.max(0, index - 1)]));
    case 'down':
    case 'tab':
      return step(withFocus(form, formFields[Math.min(formFields.length - 1, index + 1)]));
    case 'enter':
      if (index < formFields.length - 1) return step(withFocus(form, formFields[index + 1]));
      return submitFields(form, taken);
  }
  const field = editField(form.fields[form.focus], key, scene.keymap);
  if (!field) return undefined;
  const problem = form.problem?.field === form.focus ? null : form.problem;
  return step({ ...form, fields: { ...form.fields, [form.focus]: field }, problem });
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

function withFocus(form: ProviderForm, focus: FormField | undefined): ProviderForm {
  return { ...form, focus: focus ?? form.focus };
}
