import { formatCount } from '#lib/amounts.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { StepEnd } from './model-step.ts';
import { addNotice, type TurnContext, type TurnOutcome } from './turn-context.ts';

type Cut = { client: ModelClient; end: Extract<StepEnd, { kind: 'answered' }> };

/** Messages in a row whose last call was cut; a model that does not write less would go on for ever. */
const maxCutCalls = 3;
/** An answer that used less than this share of the model's limit was cut by the server's own, lower one. */
const fullShare = 0.9;
/** Less room than this beside the request, and the window is the limit. */
const leastTokens = 1_024;

/**
 * After an answer that was cut below what its model may write: from the next call on the model's whole limit is asked
 * for. Gives words that say so, for a notice; '' when there is nothing to raise.
 */
export function raiseOutput({ deps }: TurnContext, { client, end }: Cut): string {
  const { ref, outputLimit } = client.info;
  const memory = deps.memory();
  const model = formatModelRef(ref);
  const written = end.usage?.output ?? 0;
  if (memory.output?.model === model || written === 0 || written >= outputLimit.value * fullShare) return '';
  memory.output = { model, tokens: outputLimit.value };
  return `, and ${formatCount(outputLimit.value)} tokens are asked for now`;
}

/** The limit that goes with a request, as far as the window has room for it. */
export function askedOutput(
  { deps }: TurnContext,
  { client, messages }: { client: ModelClient; messages: readonly Message[] },
): Pick<StepRequest, 'maxOutputTokens'> {
  const { output, meter } = deps.memory();
  const { ref, contextWindow } = client.info;
  if (!output?.tokens || output.model !== formatModelRef(ref)) return {};
  const room = Math.floor(contextWindow.value * 0.98 - meter.estimate(messages, deps.fixedTokens));
  return room < leastTokens ? {} : { maxOutputTokens: Math.min(output.tokens, room) };
}

/** True when a request failed that asked for more than the server allows; the next one does not. */
export function withoutAskedOutput(
  { deps }: TurnContext,
  { client, error }: { client: ModelClient; error: ModelError },
): boolean {
  const memory = deps.memory();
  const model = formatModelRef(client.info.ref);
  if (error.class !== 'bad-request' || memory.output?.model !== model || memory.output.tokens === null)
    return false;
  memory.output = { model, tokens: null };
  return true;
}

/** After a message with calls that was cut: a call that was cut did not run, and its result says why. */
export async function afterCutCall(
  turn: TurnContext,
  { hasCutCall, ...cut }: Cut & { hasCutCall: boolean },
): Promise<TurnOutcome | undefined> {
  turn.cuts += 1;
  const raised = raiseOutput(turn, cut);
  if (turn.cuts >= maxCutCalls)
    return {
      reason: 'halted',
      text:
        'The output limit of the model cut its message with tool calls again and again; nothing of what was cut was ' +
        'run. Ask for smaller steps, or choose another model with /model.',
    };
  await addNotice(
    turn,
    'info',
    'The message was cut at the output limit of the model; ' +
      (hasCutCall ? 'the call that was cut did not run' : 'its calls are whole and ran') +
      `${raised}.`,
  );
  return undefined;
}
