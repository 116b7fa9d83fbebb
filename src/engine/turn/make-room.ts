import { formatCount } from '#lib/amounts.ts';
import type { EventBody } from '#protocol/event.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { type CompactEnd, type CompactOptions, compactThread } from '../context/compact.ts';
import { modelMessages } from '../context/history.ts';
import { type TrimOptions, trimHistory } from '../context/trim-history.ts';
import { fireHook, showNotices } from './fire-hook.ts';
import { addNotice, type TurnContext } from './turn-context.ts';
import type { TurnDeps } from './turn-deps.ts';

/** Useless compactions in a row after which none is made unasked. */
const maxUseless = 2;
/** Overflows in a row that are answered with a smaller request. */
const maxOverflows = 3;
/** What the newest messages keep when tool results are shortened, as a share of the usable window. */
const keptShare = 0.2;
/** What the results of the newest message may take when there is no room for all of them. */
const newestShare = 0.45;
/** Shortening results is worth a new prefix when it takes the request below this share of what started it. */
const worthShare = 0.7;

/**
 * Makes room before a call when the person wants it or the window is nearly full: tool results are shortened first, and
 * history is summarised when that is not enough. History is rewritten here and nowhere else, so that the prefix of
 * the requests in between stays the same.
 */
export async function makeRoom(turn: TurnContext, client: ModelClient): Promise<void> {
  const { deps } = turn;
  const wish = deps.inbox.takeCompaction();
  if (wish) {
    const end = await compact(turn, { client, automatic: false, keepShare: 0.1, focus: wish.focus });
    wish.onOver?.();
    if (end.kind !== 'aborted') await addNotice(turn, 'info', compactionText(end));
    return;
  }
  const { meter } = deps.memory();
  const usable = meter.usable(client.info);
  const limit = compactionPoint(deps.state(), { usable, compactAt: deps.settings.compact_at });
  const isFull = () => meter.estimate(modelMessages(deps.state()), deps.fixedTokens) > limit;
  if (!isFull()) return;
  const lastMax = usable * newestShare;
  if (await trim(turn, { keep: usable * keptShare, lastMax, target: limit * worthShare })) return;
  // Several large results at once: they leave no room for anything else, and no summary can help that.
  if (await trim(turn, { keep: Infinity, lastMax, target: Infinity })) if (!isFull()) return;
  await summarise(turn, client);
}

/** Tokens from which on room is made. After an undo the person has the window filled to the end. */
function compactionPoint(
  { rewrite }: ThreadState,
  { usable, compactAt }: { usable: number; compactAt: number },
): number {
  const isUndone = rewrite !== null && rewrite.former === null;
  return isUndone ? usable : usable * compactAt;
}

async function summarise(turn: TurnContext, client: ModelClient): Promise<void> {
  const memory = turn.deps.memory();
  if (memory.uselessCompactions >= maxUseless) return;
  const end = await compact(turn, { client, automatic: true, keepShare: 0.25 });
  if (end.kind === 'compacted') memory.uselessCompactions = 0;
  if (end.kind === 'refused') await addNotice(turn, 'warning', compactionText(end));
  if (end.kind === 'compacted' || end.kind === 'aborted') return;
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
  const isTooLong = error.class === 'overflow' || error.class === 'too-large';
  if (!isTooLong || turn.overflows >= maxOverflows) return false;
  turn.overflows += 1;
  const { deps } = turn;
  const { meter } = deps.memory();
  const refused = meter.estimate(modelMessages(deps.state()), deps.fixedTokens);
  meter.overflowed(refused);
  const usable = meter.usable(client.info);
  const isFirst = turn.overflows === 1;
  if (isFirst) {
    const gentle = { keep: usable * keptShare, lastMax: usable * newestShare, target: usable * worthShare };
    if (await trim(turn, gentle)) return true;
  }
  const end = await compact(turn, { client, automatic: true, keepShare: isFirst ? 0.25 : 0.05 });
  if (end.kind === 'compacted') return true;
  if (end.kind === 'aborted') return false;
  // A summary does not help: then nothing stays of old results but a line, and little of the newest.
  return trim(turn, { keep: 0, lastMax: usable * 0.1, target: refused * 0.9, hard: true });
}

export function compactionText(end: CompactEnd): string {
  switch (end.kind) {
    case 'nothing':
      return 'There is nothing to compact yet.';
    case 'useless':
      return 'The history was not compacted: a summary would free too little.';
    case 'refused':
      return `The history was not summarised: a hook refused it: ${end.reason}`;
    case 'aborted':
      return 'The compaction was stopped; the history is as it was.';
    case 'compacted': {
      const { messages, results, files } = end.dropped;
      const what = [count(messages, 'message'), count(results, 'tool result'), count(files, 'file')]
        .filter((text) => !text.startsWith('0 '))
        .join(', ');
      return (
        `The conversation so far is summarised for the model: about ${roundTokens(end.tokensBefore)} tokens became ` +
        `${roundTokens(end.tokensAfter)} (${what}). All of it stays here and in the log; ` +
        '`/compact undo` takes it back.' +
        (end.modelFailure === undefined ? '' : ` ${withoutModel(end.modelFailure)}`)
      );
    }
  }
}

function withoutModel(why: string): string {
  return `The summary was made without a model, from the log alone: ${why}`;
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Estimates look like what they are: `15,500`. */
function roundTokens(tokens: number): string {
  return formatCount(Math.round(tokens / 100) * 100 || tokens);
}

function trim({ deps, channel }: TurnContext, options: TrimOptions): Promise<boolean> {
  const { state, fixedTokens } = deps;
  const { meter } = deps.memory();
  return trimHistory({ state, meter, fixedTokens, emit: (body) => channel.send(body) }, options);
}

async function compact(
  turn: TurnContext,
  options: Omit<CompactOptions, 'signal'> & { client: ModelClient },
): Promise<CompactEnd> {
  const { deps, channel, signal } = turn;
  const end = await compactHistory(deps, { ...options, signal, emit: (body) => channel.send(body) });
  // Of one that the person wished for they hear anyway.
  if (options.automatic && end.kind === 'compacted' && end.modelFailure !== undefined)
    await addNotice(turn, 'warning', withoutModel(end.modelFailure));
  return end;
}

/** Summarises the history of a thread, in a turn or between turns. Never rejects. */
export async function compactHistory(
  deps: TurnDeps,
  {
    client,
    emit,
    ...options
  }: CompactOptions & { client: ModelClient; emit(body: EventBody): Promise<void> },
): Promise<CompactEnd> {
  const { state, fixedTokens, ids, tools, summarisers } = deps;
  const memory = deps.memory();
  const end = await compactThread(
    {
      client,
      summarisers,
      state,
      meter: memory.meter,
      fixedTokens,
      tools: tools.tools,
      cwd: tools.cwd,
      ids,
      emit,
      refusal: () => compactionRefusal(deps, { emit, options }),
    },
    options,
  );
  // The note about the mode went with the rest.
  if (end.kind !== 'compacted') return end;
  memory.told = 'free';
  const { tokensBefore, tokensAfter } = end;
  const { trigger } = compactionFacts(options);
  const summary = state().compaction?.summary ?? '';
  deps.hooks.tell({ event: 'compact-after', trigger, summary, tokensBefore, tokensAfter });
  await deps.hooks.restart({ signal: options.signal });
  return end;
}

function compactionFacts({ automatic, focus = '' }: Pick<CompactOptions, 'automatic' | 'focus'>) {
  return { trigger: automatic ? ('auto' as const) : ('manual' as const), focus };
}

async function compactionRefusal(
  { hooks, ids }: TurnDeps,
  { emit, options }: { emit(body: EventBody): Promise<void>; options: CompactOptions },
): Promise<string | undefined> {
  const event = { event: 'compact-before', ...compactionFacts(options) } as const;
  const outcome = await fireHook(hooks, event, { signal: options.signal });
  await showNotices({ emit, ids }, outcome);
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'halt';
  return isRefused ? (outcome.reason ?? 'no reason given') : undefined;
}
