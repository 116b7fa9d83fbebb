import { formatCount } from '#lib/amounts.ts';
import type { EventBody } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { modelMessages } from './history.ts';
import type { TokenMeter } from './token-meter.ts';

/** What taking back the last rewrite of the history comes to: an event, or none, and words for the person. */
export function undoCompaction(
  state: ThreadState,
  { meter, fixedTokens }: { meter: TokenMeter; fixedTokens: number },
): { event?: EventBody; text: string } {
  const { rewrite, frame, messages } = state;
  if (state.isCompacting) return { text: 'A compaction is running; interrupt it to stop it.' };
  if (!rewrite) return { text: 'There is no compaction to undo.' };
  if (!rewrite.former) return { text: 'The last compaction is undone already.' };
  const tokensBefore = meter.estimate(modelMessages(state), fixedTokens);
  const tokensAfter = meter.estimate(modelMessages({ messages, ...rewrite.former }), fixedTokens);
  const figure = `about ${formatCount(tokensAfter)} tokens`;
  if (frame && tokensAfter > frame.usable)
    return {
      text:
        `What was dropped does not fit any more: ${figure}, and the model takes ${formatCount(frame.usable)}. ` +
        'A model with a larger window (/model) would take it.',
    };
  return {
    event: { kind: 'compaction-undone', tokensBefore, tokensAfter },
    text: `The compaction is undone: the model gets again what it had, ${figure}. Room is made again when the window is full.`,
  };
}
