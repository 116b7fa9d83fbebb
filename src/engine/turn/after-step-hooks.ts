import type { ModelClient } from '#protocol/model-client.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { fireHook } from './fire-hook.ts';
import type { StepEnd } from './model-step.ts';
import type { ToolBatch } from './tool-batch.ts';
import { addNote, addNotice, type TurnContext } from './turn-context.ts';

/** After all calls of an answer: hooks may add to what the model reads. A text is why one ends the turn. */
export async function afterBatch(turn: TurnContext, batch: ToolBatch): Promise<string | undefined> {
  const { deps, signal } = turn;
  const event = { event: 'tool-batch', calls: await batch.results() } as const;
  const outcome = await fireHook(deps.hooks, event, { signal });
  for (const text of outcome.notices) await addNotice(turn, 'info', text);
  if (outcome.context) await addNote(turn, outcome.context);
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'halt';
  return isRefused ? (outcome.reason ?? 'A hook ended the turn.') : undefined;
}

export function tellCache(
  { deps }: TurnContext,
  { client, end }: { client: ModelClient; end: Extract<StepEnd, { kind: 'answered' }> },
): void {
  const { usage, cacheMiss } = end;
  const about = { event: 'prompt-cache', model: formatModelRef(client.info.ref) } as const;
  if (usage?.cacheRead) deps.hooks.tell({ ...about, isHit: true, tokens: usage.cacheRead });
  if (cacheMiss)
    deps.hooks.tell({ ...about, isHit: false, tokens: cacheMiss.tokens, reason: cacheMiss.reason });
}
