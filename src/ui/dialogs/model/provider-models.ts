import type { ProviderDraft } from '#protocol/screen-port.ts';
import { type ChoiceList, emptyList } from '../choice-list.ts';
import { matching } from '../matching.ts';
import type { ProviderForm } from './provider-form.ts';

/** The models of the server that the form names. */
export type ServerModels = {
  readonly state: 'unasked' | 'asking' | 'listed' | 'failed';
  /** Where it was asked, and with which key; another address has other models. */
  readonly asked: string;
  readonly ids: readonly string[];
  /** Why there is no list. */
  readonly reason: string;
  readonly list: ChoiceList;
};

export const unaskedModels: ServerModels = {
  state: 'unasked',
  asked: '',
  ids: [],
  reason: '',
  list: emptyList,
};

/** One row below the field: a model of the server, or what the person typed where the server has no such model. */
export type OfferedModel = { readonly id: string; readonly isTyped: boolean };

export function offeredModels({ ids }: ServerModels, typed: string): readonly OfferedModel[] {
  const name = typed.trim();
  const found = matching(name, ids, (id) => id).map((id) => ({ id, isTyped: false }));
  if (ids.length === 0 || name === '' || ids.includes(name)) return found;
  return [...found, { id: name, isTyped: true }];
}

export function placeAsked({ baseUrl, apiKeyEnv }: ProviderDraft): string {
  return `${baseUrl} ${apiKeyEnv}`;
}

export function withListed(form: ProviderForm, draft: ProviderDraft, ids: readonly string[]): ProviderForm {
  if (form.models.asked !== placeAsked(draft)) return form;
  if (ids.length === 0) return withFailedList(form, draft, 'it lists none');
  const models: ServerModels = { ...form.models, state: 'listed', ids };
  return withFirstSelected({ ...form, models });
}

export function withFailedList(form: ProviderForm, draft: ProviderDraft, reason: string): ProviderForm {
  if (form.models.asked !== placeAsked(draft)) return form;
  return { ...form, models: { ...form.models, state: 'failed', ids: [], reason } };
}

/** The best match of what is typed. */
export function withFirstSelected(form: ProviderForm): ProviderForm {
  const [first] = offeredModels(form.models, form.fields.model.text);
  return { ...form, models: { ...form.models, list: { selected: first?.id, top: 0 } } };
}
