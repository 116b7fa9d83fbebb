import { formatCount } from '#lib/amounts.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import { type CompactEnd, compactThread } from '../context/compact.ts';
import { modelMessages } from '../context/history.ts';
import { addNotice, type TurnContext } from './turn-context.ts';

/** Useless compactions in a row after which none is made unasked. */
const maxUseless = 2;
/** Overflows in a row that are answered with a compaction. */
const maxOverflows = 2;

/** Compacts history before a call when the person wants it or the window is nearly full; at most once. */
export async function makeRoom(turn: TurnContext, client: ModelClient): Promise<void> {
  const { deps } = turn;
  const wish = deps.inbox.takeCompaction();
  if (wish) {
    const end = await compact(turn, { client, automatic: false, keepShare: 0.1, focus: wish.focus });
    if (end.kind !== 'aborted') await addNotice(turn, 'info', compactionText(end));
    return;
  }
  const memory = deps.memory();
  if (memory.uselessCompactions >= maxUseless) return;
  const expected = memory.meter.estimate(modelMessages(deps.state()), deps.fixedTokens);
  if (expected <= deps.settings.compact_at * memory.meter.usable(client.info)) return;
  const end = await compact(turn, { client, automatic: true, keepShare: 0.25 });
  if (end.kind === 'compacted') memory.uselessCompactions = 0;
  if (end.kind !== 'nothing' && end.kind !== 'useless') return;
  memory.uselessCompactions += 1;
  if (memory.uselessCompactions === maxUseless)
    await addNotice(
      turn,
      'warning',
      'The context window is nearly full and summarising frees too little. /compact with a focus, /clear, or a ' +
        'model with a larger window (/model) will help.',
    );
}

/** After the server refused a request as too long. False: nothing more can be done about it. */
export async function recoverOverflow(
  turn: TurnContext,
  { client, error }: { client: ModelClient; error: ModelError },
): Promise<boolean> {
  if (error.class !== 'overflow' || turn.overflows >= maxOverflows) return false;
  turn.overflows += 1;
  const { deps } = turn;
  const { meter } = deps.memory();
  meter.overflowed(meter.estimate(modelMessages(deps.state()), deps.fixedTokens));
  const end = await compact(turn, { client, automatic: true, keepShare: turn.overflows === 1 ? 0.25 : 0.05 });
  return end.kind === 'compacted';
}

export function compactionText(end: CompactEnd): string {
  switch (end.kind) {
    case 'nothing':
      return 'There is nothing to compact yet.';
    case 'useless':
      return 'The history was not compacted: a summary would free too little.';
    case 'aborted':
      return 'The compaction was stopped; the history is as it was.';
    case 'compacted':
      return (
        `The conversation so far is summarised for the model: about ${roundTokens(end.tokensBefore)} tokens became ` +
        `${roundTokens(end.tokensAfter)}. All of it stays here and in the log.`
      );
  }
}

/** Estimates look like what they are: `15,500`. */
function roundTokens(tokens: number): string {
  return formatCount(Math.round(tokens / 100) * 100 || tokens);
}

async function compact(
  { deps, channel, signal }: TurnContext,
  {
    client,
    automatic,
    keepShare,
    focus,
  }: { client: ModelClient; automatic: boolean; keepShare: number; focus?: string | undefined },
): Promise<CompactEnd> {
  const memory = deps.memory();
  const end = await compactThread(
    {
      client,
      state: deps.state,
      meter: memory.meter,
      fixedTokens: deps.fixedTokens,
      tools: deps.tools.tools,
      cwd: deps.tools.cwd,
      ids: deps.ids,
      emit: (body) => channel.send(body),
    },
    { automatic, focus, keepShare, signal },
  );
  // The note about the mode went with the rest.
  if (end.kind === 'compacted') memory.told = 'free';
  return end;
}
