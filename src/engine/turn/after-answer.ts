import type { ModelClient } from '#protocol/model-client.ts';
import { fireHook } from './fire-hook.ts';
import type { StepEnd } from './model-step.ts';
import { raiseOutput } from './output-limit.ts';
import { addNote, addNotice, type TurnContext, type TurnOutcome } from './turn-context.ts';

const maxContinuations = 2;
const maxResumedByHook = 5;
/** Answers in a row with calls that cannot be read, each for another reason. */
const maxUnreadable = 4;

/** After an answer without calls: how the turn ends, or undefined when it goes on. */
export async function afterAnswer(
  turn: TurnContext,
  { client, end }: { client: ModelClient; end: Extract<StepEnd, { kind: 'answered' }> },
): Promise<TurnOutcome | undefined> {
  const { finish, text, correction } = end;
  if (correction !== undefined) return afterUnreadableCall(turn, correction);
  turn.unreadable = [];
  if (finish === 'content-filter')
    return {
      reason: 'error',
      text: "The provider's content filter stopped the answer. Put it in other words.",
    };
  if (finish === 'length') return afterCut(turn, { client, end });
  turn.cuts = 0;
  if (text.trim() === '') return afterNothing(turn);
  turn.empties = 0;
  if (finish === 'error' || finish === 'lost')
    return { reason: 'error', text: 'The answer broke off. Send "continue" to go on.' };
  if (turn.deps.inbox.hasSteers()) return undefined;
  return askHooks(turn, text);
}

/** One correction for each mistake; a model that does not take it would write the same call for ever. */
export async function afterUnreadableCall(
  turn: TurnContext,
  correction: string,
): Promise<TurnOutcome | undefined> {
  const isAgain = turn.unreadable.at(-1) === correction;
  turn.unreadable.push(correction);
  const count = turn.unreadable.length;
  if (isAgain || count >= maxUnreadable)
    return {
      reason: 'halted',
      text:
        `The model wrote a tool call that cannot be read, ${count === 2 ? 'twice' : `${count} times`}; nothing was run. ` +
        'Say it in other words, or choose another model with /model.',
    };
  await addNote(turn, correction);
  return undefined;
}

/** A cut answer is never passed off as whole: it is continued, and if that does not end, it says so. */
async function afterCut(
  turn: TurnContext,
  { client, end }: { client: ModelClient; end: Extract<StepEnd, { kind: 'answered' }> },
): Promise<TurnOutcome | undefined> {
  turn.cuts += 1;
  const raised = raiseOutput(turn, { client, end });
  if (turn.cuts > maxContinuations)
    return {
      reason: 'halted',
      text: 'The answer was cut at the output limit of the model again and is not whole. Send "continue" to go on.',
    };
  await addNotice(
    turn,
    'info',
    `The answer was cut at the output limit of the model; it is being continued${raised}.`,
  );
  await addNote(
    turn,
    'Your answer was cut at the output limit. Continue exactly where it stopped, without repeating anything. ' +
      'If you meant to call a tool, call it now, with smaller arguments.',
  );
  return undefined;
}

async function afterNothing(turn: TurnContext): Promise<TurnOutcome | undefined> {
  turn.empties += 1;
  if (turn.empties > 1)
    return {
      reason: 'halted',
      text: 'The model answered with nothing, twice. Ask again in other words, or choose another model with /model.',
    };
  await addNote(
    turn,
    'Your last answer was empty. Answer the person, or call the tool that you meant to call.',
  );
  return undefined;
}

/** A hook may find that the work is not done. */
async function askHooks(turn: TurnContext, lastText: string): Promise<TurnOutcome | undefined> {
  const { deps, signal } = turn;
  const outcome = await fireHook(deps.hooks, { event: 'turn-end', reason: 'done', lastText }, { signal });
  for (const text of outcome.notices) await addNotice(turn, 'info', text);
  if (outcome.decision !== 'deny') return { reason: 'done' };
  turn.resumedByHook += 1;
  if (turn.resumedByHook > maxResumedByHook) {
    await addNotice(
      turn,
      'warning',
      `A hook kept this turn from ending ${maxResumedByHook} times; it ends now.`,
    );
    return { reason: 'done' };
  }
  await addNote(turn, outcome.reason ?? 'A hook says that the work is not finished.');
  return undefined;
}
