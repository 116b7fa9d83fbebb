import { modelPreflight } from '#engine/context/preflight.ts';
import { log } from '#lib/log.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What going on with a model would mean for the thread as it is now. Rejects when there is no such model. */
export async function preflight(session: InteractiveSession, ref: ModelRef): Promise<ModelPreflight> {
  const { catalogue, settings } = await session.composition();
  const state = await session.state();
  const known = async (model: ModelRef) => {
    try {
      return await catalogue.info(model);
    } catch (error) {
      log('nothing is known of the model in use:', error); // Its provider may have gone from the settings.
      return undefined;
    }
  };
  const [info, present] = await Promise.all([
    catalogue.info(ref),
    state.model ? known(state.model) : undefined,
  ]);
  return modelPreflight({
    state,
    info,
    present,
    compactAt: settings.values.compact_at,
  });
}
