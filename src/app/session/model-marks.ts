import type { ModelMarks, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef, parseModelRef } from '#protocol/model-ref-text.ts';
import { readChoices, remember } from '../settings/choices.ts';

const maxRecent = 6;

/** Models that the person chose lately and those that they marked. */
export function modelMarks(home: string): ModelMarks {
  const { recentModels = [], favouriteModels = [] } = readChoices(home);
  return { recent: refsOf(recentModels), favourites: refsOf(favouriteModels) };
}

/** Rejects when the home folder cannot be written, like the others here. */
export async function rememberUse(home: string, ref: ModelRef): Promise<void> {
  const others = (readChoices(home).recentModels ?? []).filter((text) => !isSame(text, ref));
  await remember(home, 'recentModels', [formatModelRef(ref), ...others].slice(0, maxRecent));
}

/** A mark is for the model, whatever its effort. */
export async function markFavourite(
  home: string,
  ref: ModelRef,
  { isFavourite }: { isFavourite: boolean },
): Promise<void> {
  const others = (readChoices(home).favouriteModels ?? []).filter((text) => !isSame(text, ref));
  const { provider, model } = ref;
  await remember(
    home,
    'favouriteModels',
    isFavourite ? [...others, formatModelRef({ provider, model })] : others,
  );
}

function refsOf(texts: readonly string[]): ModelRef[] {
  return texts.flatMap((text) => parseModelRef(text) ?? []);
}

function isSame(text: string, { provider, model }: ModelRef): boolean {
  const known = parseModelRef(text);
  return known?.provider === provider && known.model === model;
}
