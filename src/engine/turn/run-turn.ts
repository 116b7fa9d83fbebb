import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { EventBody } from '#protocol/event.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import { spentUsd } from '#protocol/usage-totals.ts';
import { endsWithInput, modelMessages, withImages } from '../context/history.ts';
import { settleCalls } from '../thread/fold.ts';
import { afterAnswer, afterUnreadableCall } from './after-answer.ts';
import { afterBatch, tellCache } from './after-step-hooks.ts';
import { EventChannel } from './event-channel.ts';
import { bridgeBrokenMessage, comeBack, fallBack } from './fallback.ts';
import { makeRoom, recoverOverflow } from './make-room.ts';
import { modelStep, type StepEnd } from './model-step.ts';
import { afterCutCall, askedOutput, withoutAskedOutput } from './output-limit.ts';
import { overBudget } from './over-budget.ts';
import { RepeatGuard } from './repeat-guard.ts';
import { tellLimits } from './tell-limits.ts';
import { ToolBatch } from './tool-batch.ts';
import { addNote, type TurnContext, type TurnOutcome } from './turn-context.ts';
import type { TurnDeps, TurnStart } from './turn-deps.ts';
import { admitPrompt, deliverInput } from './turn-input.ts';
import { untilAbort } from './until-abort.ts';

/** Answers in a row that broke off after some of their calls had run. */
const maxLosses = 3;
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
    losses: 0,
    replaced: undefined,
    unreadable: [],
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
  const { name, messages, totals } = deps.state();
  const tally = {
    name,
    messages: messages.filter(({ role }) => role !== 'notice').length,
    costUsd: spentUsd(totals),
  };
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
  await tellContext(turn);
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
  if (deps.standIns.isReturnDue) await comeBack(turn);
  while (true) {
    await deliverInput(turn);
    if (signal.aborted) return aborted;
    const outcome = await step(turn);
    if (outcome) return outcome;
  }
}

/** What hooks of the session's start, or of a new start after a summary, want the model to know. */
async function tellContext(turn: TurnContext): Promise<void> {
  const context = await untilAbort(turn.deps.hooks.takeContext(), turn.signal);
  if (context) await addNote(turn, context);
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
  // Before a summary too: that is a call as dear as the one it makes room for.
  const stop = await overBudget(turn, client);
  if (stop) return stop;
  await makeRoom(turn, client);
  if (signal.aborted) return aborted;
  await tellContext(turn);
  // A model that takes over after the summary makes the call.
  if ((await openModel(turn)) !== client) return undefined;
  const stopAfterSummary = await overBudget(turn, client);
  if (stopAfterSummary) return stopAfterSummary;
  const messages = modelMessages(deps.state());
  const batch = new ToolBatch({ deps: toolDeps(turn, client), guard, signal });
  const request = await makeRequest(turn, { client, messages });
  deps.hooks.tell({ event: 'prompt-compile', ...requestFacts(client, request) });
  deps.flush();
  turn.steps += 1;
  const { tools, clock, ids } = deps;
  const { vendorCallIds, cacheWatch } = deps.memory();
  const model = client.info.ref;
  const cacheMissOf = cacheWatch.sending({ ...request, messages }, { model, at: clock.now() });
  const end = await modelStep(
    { client, channel, batch, vendorCallIds, cacheMissOf, clock, ids, tools: tools.tools, scope: tools },
    request,
    { signal, maxAttempts: deps.standIns.tries(model) },
  );
  switch (end.kind) {
    case 'aborted':
      return aborted;
    case 'lost':
      turn.losses += 1;
      return turn.losses < maxLosses ? undefined : afterFailure(turn, { client, end });
    case 'failed':
      return afterFailure(turn, { client, end });
    case 'answered':
      deps.standIns.answered(model);
      return afterStep(turn, { client, end, batch, messages });
  }
}

async function afterStep(
  turn: TurnContext,
  {
    client,
    end,
    batch,
    messages,
  }: {
    client: ModelClient;
    end: Extract<StepEnd, { kind: 'answered' }>;
    batch: ToolBatch;
    messages: readonly Message[];
  },
): Promise<TurnOutcome | undefined> {
  const { deps, signal } = turn;
  turn.last = { usage: end.usage };
  tellCache(turn, { client, end });
  turn.overflows = 0;
  turn.losses = 0;
  const counted = end.usage?.input ?? 0;
  if (counted > 0) deps.memory().meter.learn({ messages, fixed: deps.fixedTokens, counted });
  if (batch.size === 0) return signal.aborted ? aborted : afterAnswer(turn, { client, end });
  turn.empties = 0;
  turn.unreadable = [];
  const halt = await batch.finish({ isCut: end.finish === 'length' });
  // What has happened to the world must not be forgotten, or it is done twice.
  if (batch.hasEffects) await deps.sync();
  if (signal.aborted) return aborted;
  const stop = halt ?? (await afterBatch(turn, batch));
  if (stop !== undefined) return { reason: 'halted', text: `Stopped: ${stop}` };
  // Of a call that was not run beside others that were.
  if (end.correction !== undefined) await addNote(turn, end.correction);
  if (end.finish === 'length') return afterCutCall(turn, { client, end, hasCutCall: batch.hasCutCall });
  turn.cuts = 0;
  return undefined;
}

async function afterFailure(
  turn: TurnContext,
  { client, end }: { client: ModelClient; end: Extract<StepEnd, { kind: 'failed' | 'lost' }> },
): Promise<TurnOutcome | undefined> {
  const { error } = end;
  if (error.class === 'tool-use-failed')
    return afterUnreadableCall(
      turn,
      `The server could not read your last tool call, and it was not run: ${error.message} ` +
        'Call it again, with arguments that are one valid JSON object.',
    );
  const goesOn =
    (await recoverOverflow(turn, { client, error })) ||
    withoutAskedOutput(turn, { client, error }) ||
    (await fallBack(turn, { client, error }));
  if (turn.signal.aborted) return aborted;
  if (!goesOn) return failed(turn, error);
  await bridgeBrokenMessage(turn);
  return undefined;
}

/** When others have tried in vain, what counts is why the chosen model failed; the rest stands in notices. */
function failed({ replaced }: TurnContext, last: ModelError): TurnOutcome {
  const error = replaced?.error ?? last;
  const text = `${error.message} ${error.advice}`;
  return { reason: 'error', text: replaced ? `${text} No other model is left to take over.` : text, error };
}

async function openModel({ deps, signal }: TurnContext): Promise<ModelClient | TurnOutcome | undefined> {
  try {
    return await untilAbort(deps.model(), signal);
  } catch (error) {
    return { reason: 'error', text: errorText(error) };
  }
}

async function makeRequest(
  turn: TurnContext,
  { client, messages }: { client: ModelClient; messages: readonly Message[] },
): Promise<StepRequest> {
  const { deps } = turn;
  const canCall = toolCallingOf(client.info) !== 'none';
  await tellLimits(turn, client.info);
  return {
    system: deps.system,
    messages: await withImages(messages, deps.tools.filesDir),
    tools: canCall ? deps.schemas : [],
    threadId: deps.state().threadId,
    ...askedOutput(turn, { client, messages }),
  };
}

function requestFacts({ info }: ModelClient, { system, messages, tools }: StepRequest) {
  const systemChars = system.reduce((sum, block) => sum + block.length, 0);
  return {
    model: formatModelRef(info.ref),
    messages: messages.length,
    tools: tools.length,
    systemChars,
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
