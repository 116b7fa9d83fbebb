import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { EventBody } from '#protocol/event.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient, StepRequest } from '#protocol/model-client.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { budgetStop, unpricedWarning } from '../context/budget.ts';
import { endsWithInput, modelMessages, withImages } from '../context/history.ts';
import { settleCalls } from '../thread/fold.ts';
import { afterAnswer } from './after-answer.ts';
import { EventChannel } from './event-channel.ts';
import { makeRoom, recoverOverflow } from './make-room.ts';
import { modelStep, type StepEnd } from './model-step.ts';
import { RepeatGuard } from './repeat-guard.ts';
import { ToolBatch } from './tool-batch.ts';
import { addNote, addNotice, type TurnContext, type TurnOutcome } from './turn-context.ts';
import type { TurnDeps, TurnStart } from './turn-deps.ts';
import { admitPrompt, deliverInput } from './turn-input.ts';
import { untilAbort } from './until-abort.ts';

/** For hooks that are told of an end which they cannot change. */
const lateHookMs = 5_000;

/**
 * One turn: model calls and tool calls until the model has no more to call, the person stops it, or a limit is
 * reached. Yields what happens; whoever reads must have numbered and logged an event before asking for the next.
 * The last event is always one `turn-end`, and by then every call has one result. Never throws.
 */
export async function* runTurn(
  deps: TurnDeps,
  start: TurnStart,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<EventBody, void> {
  const channel = new EventChannel();
  const turn: TurnContext = {
    deps,
    channel,
    signal,
    guard: new RepeatGuard(),
    steps: 0,
    empties: 0,
    cuts: 0,
    overflows: 0,
    unreadable: 0,
    resumedByHook: 0,
    last: undefined,
  };
  const startedAt = deps.clock.now();
  const work = conduct(turn, start)
    .catch((error: unknown): TurnOutcome => {
      log('a turn failed:', error);
      return { reason: 'error', text: `llmcode failed: ${errorText(error)}` };
    })
    .then((outcome) => finish(turn, { outcome, startedAt }))
    .finally(() => channel.close());
  yield* channel.drain();
  await work;
}

async function finish(
  { deps, channel, steps }: TurnContext,
  { outcome, startedAt }: { outcome: TurnOutcome; startedAt: number },
): Promise<void> {
  const why =
    outcome.reason === 'aborted' ? 'The person interrupted the turn.' : 'The turn ended before it ran.';
  for (const body of settleCalls(deps.state(), why)) await channel.send(body);
  const { name, messages } = deps.state();
  const tally = { name, messages: messages.filter(({ role }) => role !== 'notice').length };
  const durationMs = Math.max(0, deps.clock.now() - startedAt);
  await channel.send({ kind: 'turn-end', ...outcome, steps, durationMs, tally });
  if (outcome.reason === 'done') return; // Its hooks have had their say.
  const lastText = lastTextOf(messages);
  const { reason } = outcome;
  const limit = new AbortController();
  const cancel = deps.clock.after(lateHookMs, () => limit.abort());
  const told = deps.hooks.fire({ event: 'turn-end', reason, lastText }, { signal: limit.signal });
  deps.supervise(told.finally(cancel));
}

async function conduct(turn: TurnContext, start: TurnStart): Promise<TurnOutcome> {
  const { deps, channel, signal } = turn;
  const before = deps.state();
  await channel.send({ kind: 'turn-start' });
  const context = await untilAbort(deps.sessionContext(), signal);
  if (context) await addNote(turn, context);
  let refusal: string | undefined;
  let isAnyAdmitted = start.prompts.length === 0;
  for (const prompt of start.prompts) {
    refusal = await admitPrompt(turn, prompt);
    isAnyAdmitted ||= refusal === undefined;
  }
  if (signal.aborted) return aborted;
  if (!isAnyAdmitted) return { reason: 'halted', text: `A hook refused the message: ${refusal}` };
  if (start.prompts.length === 0) {
    await deliverInput(turn);
    const isReady = endsWithInput(modelMessages(deps.state()));
    if (!isReady || before.lastTurnEnd?.reason === 'aborted')
      await addNote(turn, 'Go on from where you stopped.');
  }
  while (true) {
    await deliverInput(turn);
    if (signal.aborted) return aborted;
    const outcome = await step(turn);
    if (outcome) return outcome;
  }
}

/** One model call with its tool calls. An outcome ends the turn. */
async function step(turn: TurnContext): Promise<TurnOutcome | undefined> {
  const { deps, channel, signal, guard } = turn;
  const { max_steps } = deps.settings;
  if (turn.steps >= max_steps)
    return {
      reason: 'step-limit',
      text: `Paused after ${max_steps} model calls in one turn (max_steps). Send "continue" to go on.`,
    };
  const client = await openModel(turn);
  if (!client) return aborted;
  if ('reason' in client) return client;
  await makeRoom(turn, client);
  if (signal.aborted) return aborted;
  const messages = modelMessages(deps.state());
  const inputTokens = deps.memory().meter.estimate(messages, deps.fixedTokens);
  const stop = await overBudget(turn, { client, inputTokens });
  if (stop) return stop;
  const batch = new ToolBatch({ deps: toolDeps(turn, client), guard, signal });
  const request = await makeRequest(turn, { client, messages });
  deps.flush();
  turn.steps += 1;
  const { tools, clock, ids } = deps;
  const { vendorCallIds } = deps.memory();
  const end = await modelStep(
    { client, channel, batch, vendorCallIds, clock, ids, tools: tools.tools, scope: tools },
    request,
    { signal },
  );
  switch (end.kind) {
    case 'aborted':
      return aborted;
    case 'failed':
      return afterFailure(turn, { client, end });
    case 'answered':
      return afterStep(turn, { end, batch, messages });
  }
}

async function afterStep(
  turn: TurnContext,
  {
    end,
    batch,
    messages,
  }: { end: Extract<StepEnd, { kind: 'answered' }>; batch: ToolBatch; messages: readonly Message[] },
): Promise<TurnOutcome | undefined> {
  const { deps, signal } = turn;
  turn.last = { usage: end.usage };
  turn.overflows = 0;
  const counted = end.usage?.input ?? 0;
  if (counted > 0) deps.memory().meter.learn({ messages, fixed: deps.fixedTokens, counted });
  if (batch.size === 0) return signal.aborted ? aborted : afterAnswer(turn, end);
  turn.empties = 0;
  turn.unreadable = 0;
  const halt = await batch.finish();
  // What has happened to the world must not be forgotten, or it is done twice.
  if (batch.hasEffects) await deps.sync();
  if (signal.aborted) return aborted;
  if (end.finish === 'length')
    await addNotice(
      turn,
      'info',
      'The message was cut at the output limit of the model after its last tool call.',
    );
  return halt === undefined ? undefined : { reason: 'halted', text: `Stopped: ${halt}` };
}

async function afterFailure(
  turn: TurnContext,
  { client, end }: { client: ModelClient; end: Extract<StepEnd, { kind: 'failed' }> },
): Promise<TurnOutcome | undefined> {
  const { error } = end;
  if (await recoverOverflow(turn, { client, error })) return undefined;
  if (turn.signal.aborted) return aborted;
  return { reason: 'error', text: `${error.message} ${error.advice}`, error };
}

async function openModel({ deps, signal }: TurnContext): Promise<ModelClient | TurnOutcome | undefined> {
  try {
    return await untilAbort(deps.model(), signal);
  } catch (error) {
    return { reason: 'error', text: errorText(error) };
  }
}

async function overBudget(
  turn: TurnContext,
  { client, inputTokens }: { client: ModelClient; inputTokens: number },
): Promise<TurnOutcome | undefined> {
  const { deps, last } = turn;
  const { info } = client;
  const budgetUsd = deps.settings.max_budget_usd;
  const memory = deps.memory();
  if (budgetUsd !== undefined && !info.price && !info.local && !memory.wasUnpricedTold) {
    memory.wasUnpricedTold = true;
    await addNotice(turn, 'warning', unpricedWarning(info));
  }
  const text = budgetStop({ budgetUsd, spentUsd: deps.spentUsd(), info, inputTokens, last });
  return text === undefined ? undefined : { reason: 'budget', text };
}

async function makeRequest(
  turn: TurnContext,
  { client, messages }: { client: ModelClient; messages: readonly Message[] },
): Promise<StepRequest> {
  const { deps } = turn;
  const memory = deps.memory();
  if (!client.info.tools.value && !memory.wasToollessTold) {
    memory.wasToollessTold = true;
    const name = formatModelRef(client.info.ref);
    await addNotice(
      turn,
      'warning',
      `${name} cannot call tools: it can talk, but not read or change anything.`,
    );
  }
  return {
    system: deps.system,
    messages: await withImages(messages, deps.tools.filesDir),
    tools: client.info.tools.value ? deps.schemas : [],
    threadId: deps.state().threadId,
  };
}

/** A result may take a third of what the window holds, however large the person set the limit. */
function toolDeps({ deps, channel }: TurnContext, client: ModelClient) {
  const { meter } = deps.memory();
  const windowChars = Math.floor(meter.usable(client.info) * 3 * 0.3);
  const maxChars = Math.max(1_000, Math.min(deps.settings.max_result_chars, windowChars));
  return {
    ...deps.tools,
    maxResultChars: () => maxChars,
    emit: (body: EventBody) => channel.send(body),
  };
}

function lastTextOf(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (last?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

const aborted: TurnOutcome = { reason: 'aborted' };
