import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ModelClient, ModelDirectory } from '#protocol/model-client.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';

/** Models that may summarise a thread: those that the settings name for it, then the thread's own. Never rejects. */
export async function* summarisers(
  directory: ModelDirectory,
  own: ModelClient,
): AsyncGenerator<ModelClient, void> {
  const ownName = formatModelRef(own.info.ref);
  for (const ref of (await directory.route?.('compaction')) ?? []) {
    if (formatModelRef(ref) === ownName) break;
    try {
      yield await directory.open(ref);
    } catch (error) {
      log('a model for summaries does not open:', errorText(error));
    }
  }
  yield own;
}
