import type { ModelRef } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { modelMessages } from './history.ts';
import type { TokenMeter } from './token-meter.ts';

/** Tells a fresh meter what the log knows of how this model counts. */
export function seedMeter(
  meter: TokenMeter,
  state: ThreadState,
  { model, fixed }: { model: ModelRef; fixed: number },
): void {
  const { messages, rewrite } = state;
  const index = messages.findLastIndex(
    ({ model: by, usage }) =>
      by?.provider === model.provider && by.model === model.model && (usage?.input ?? 0) > 0,
  );
  // Before the last rewrite requests held something else than what is sent now.
  if (index >= (rewrite?.at ?? 0) && index > 0)
    meter.learn({
      messages: modelMessages({ ...state, messages: messages.slice(0, index) }),
      fixed,
      counted: messages[index]?.usage?.input ?? 0,
    });
  else if (rewrite?.scale) meter.assume(rewrite.scale);
}
