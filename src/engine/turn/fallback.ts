import type { ModelClient } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { endsWithInput, modelMessages } from '../context/history.ts';
import { addNote, addNotice, type TurnContext } from './turn-context.ts';
import { untilAbort } from './until-abort.ts';

/** What a model is asked to mend, not another one. A key that is wrong has to be seen. */
const ownFaults: readonly ModelError['class'][] = ['auth', 'permission', 'not-found'];

/**
 * After a call failed for good: the next model of `model_routing.fallback` goes on with the same turn, with all that
 * was done in it. False: nobody takes over, and the turn ends with the error.
 */
export async function fallBack(
  turn: TurnContext,
  { client, error }: { client: ModelClient; error: ModelError },
): Promise<boolean> {
  const { deps, signal } = turn;
  const failed = client.info.ref;
  const current = await untilAbort(
    deps.model().catch(() => client),
    signal,
  );
  if (!current) return false;
  // The person has chosen another model meanwhile.
  if (current !== client) return true;
  if (!canTakeOver(error, { isStandIn: deps.standIns.isStandIn(failed) })) return false;
  const end = await untilAbort(deps.standIns.takeOver(failed, error), signal);
  if (!end) return false;
  for (const { name, why } of end.skipped)
    await addNotice(turn, 'warning', `${name} could not take over: ${why}`);
  if (!end.ref) {
    if (turn.replaced) await addNotice(turn, 'warning', `${nameOf(failed)} failed too: ${error.message}`);
    return false;
  }
  turn.replaced ??= { ref: failed, error };
  turn.overflows = 0;
  turn.losses = 0;
  turn.last = undefined;
  deps.hooks.tell({
    event: 'http',
    phase: 'fallback',
    model: nameOf(failed),
    url: error.endpoint ?? '',
    attempt: 0,
    to: nameOf(end.ref),
    error: error.message,
  });
  await addNotice(turn, 'warning', `${nameOf(end.ref)} takes over from ${nameOf(failed)}: ${error.message}`);
  return true;
}

/** At the start of a turn: the chosen model gets its seat back. */
export async function comeBack(turn: TurnContext): Promise<void> {
  const { deps, signal } = turn;
  const back = await untilAbort(deps.standIns.comeBack(), signal);
  if (back) await addNotice(turn, 'info', `${nameOf(back)} is tried again and answers from here on.`);
}

/** A message that broke off without a call is no input; several APIs refuse a request that ends with it. */
export async function bridgeBrokenMessage(turn: TurnContext): Promise<void> {
  if (endsWithInput(modelMessages(turn.deps.state()))) return;
  await addNote(
    turn,
    'Your last message broke off because the connection to the model was lost. Go on from where it stopped, ' +
      'without repeating what is there.',
  );
}

/** A quota that is used up and everything that repeating did not help. A stand-in that cannot work is passed over. */
function canTakeOver(error: ModelError, { isStandIn }: { isStandIn: boolean }): boolean {
  if (error.retryable || error.class === 'quota' || error.class === 'network') return true;
  return isStandIn && ownFaults.includes(error.class);
}

function nameOf(ref: ModelRef): string {
  return formatModelRef(ref);
}
