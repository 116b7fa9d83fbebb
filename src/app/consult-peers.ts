import { consultError } from '#agents/consult/consult-error.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { Composition } from './compose.ts';
import { modelMarks } from './session/model-marks.ts';

/** Who is asked when all are: whom the settings name, else the favourites but the model that is talked to anyway. */
export function allPeers(
  { settings, home }: Pick<Composition, 'settings' | 'home'>,
  present: ModelRef | null,
): readonly string[] {
  const { peers } = settings.values.consult;
  if (peers.length > 0) return peers;
  const own = present && formatModelRef({ provider: present.provider, model: present.model });
  const favourites = modelMarks(home)
    .favourites.map(formatModelRef)
    .filter((text) => text !== own);
  if (favourites.length > 0) return favourites;
  throw consultError(
    'invalid_request',
    'Nobody is named to be asked: set consult.peers in the config to a list of models, or mark favourites in /model.',
  );
}
