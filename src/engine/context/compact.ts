import type { IdSource } from '#lib/ids.ts';
import type { EventBody } from '#protocol/event.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { chooseKept } from './choose-kept.ts';
import { asSent, endsWithInput, firstKept, modelMessages } from './history.ts';
import { askForSummary, type SummaryAnswer } from './summarise.ts';
import { messageEstimate } from './token-estimate.ts';
import { type TokenMeter, usableWindow } from './token-meter.ts';
import {
  answeredCalls,
  clip,
  digest,
  failures,
  personsWords,
  todoLines,
  touchedFiles,
  transcript,
} from './transcript.ts';

export type CompactDeps = {
  /** The thread's own model; history must fit its window. */
  client: ModelClient;
  /** Who is asked for the summary, best first, opened one after the other as long as none could. */
  summarisers(client: ModelClient): AsyncIterable<ModelClient>;
  state(): ThreadState;
  meter: TokenMeter;
  /** Plain estimate of system prompt and tools. */
  fixedTokens: number;
  tools: readonly ToolDef[];
  cwd: string;
  ids: IdSource;
  /** Why a hook wants the history as it is; undefined = it may be summarised. */
  refusal(): Promise<string | undefined>;
  /** Resolves when the event is numbered and logged. */
  emit(body: EventBody): Promise<void>;
};

export type CompactOptions = {
  automatic: boolean;
  /** What the person wants kept above all. */
  focus?: string | undefined;
  /** Share of the usable window that the newest messages may keep. */
  keepShare: number;
  signal: AbortSignal;
};

export type CompactEnd =
  /** Estimates of what the model got of the history before, and gets now. */
  | ({ kind: 'compacted' } & Change)
  /** There is not enough that could be summarised. */
  | { kind: 'nothing' }
  | { kind: 'aborted' }
  /** A hook wants the history as it is. */
  | { kind: 'refused'; reason: string }
  /** A summary would free too little; the history stays as it was. */
  | { kind: 'useless' };

type Change = {
  tokensBefore: number;
  tokensAfter: number;
  dropped: { messages: number; results: number; files: number };
  /** Why the summary was made without a model. */
  modelFailure?: string;
};

/** Characters that one token has at least, on average; on the safe side for cutting. */
const charsPerToken = 3;
const maxTodoChars = 2_000;
/** A compaction that frees less than a third is none. */
const acceptedShare = 2 / 3;

/**
 * Replaces older history by a summary for the model; the log and the screen keep everything. The person's words,
 * open todos and touched files are carried over by us and not left to the model. When the model cannot summarise,
 * a digest of what happened takes its place: a summary is never empty. Never rejects.
 */
export async function compactThread(deps: CompactDeps, options: CompactOptions): Promise<CompactEnd> {
  const cut = chooseCut(deps, options);
  if (!cut) return { kind: 'nothing' };
  const reason = await deps.refusal();
  if (options.signal.aborted) return { kind: 'aborted' };
  if (reason !== undefined) return { kind: 'refused', reason };
  await deps.emit({ kind: 'compaction-start', automatic: options.automatic });
  const { answer, asked } = await askInTurn(deps, { cut, options });
  const end = answer.kind === 'aborted' ? answer : await accept(deps, { cut, answer, options });
  const cost = answer.kind === 'text' ? { usage: answer.usage, costUsd: answer.costUsd } : {};
  const model = asked ? { model: asked.info.ref } : {};
  await deps.emit({ kind: 'compaction-end', ...cost, ...model });
  return end;
}

async function askInTurn(
  deps: CompactDeps,
  { cut, options: { focus, signal } }: { cut: Cut; options: CompactOptions },
): Promise<{ answer: SummaryAnswer; asked?: ModelClient }> {
  let why = 'No model could be asked.';
  for await (const client of deps.summarisers(deps.client)) {
    const usable = Math.min(cut.usable, usableWindow(client.info));
    const answer = await askForSummary(
      { ...deps, client },
      {
        threadId: deps.state().threadId,
        transcript: transcript(cut.older, {
          maxChars: Math.floor(usable * 0.6 * charsPerToken),
          isWrite: writesOf(deps),
        }),
        focus,
        signal,
      },
    );
    if (answer.kind !== 'none') return { answer, asked: client };
    why = answer.why;
  }
  return { answer: { kind: 'none', why } };
}

type Cut = {
  /** What goes: the last summary, if there is one, and the messages after it. */
  older: Message[];
  /** The last summary. */
  former: string | undefined;
  keptFrom: number;
  usable: number;
};

function chooseCut(deps: CompactDeps, { automatic, keepShare }: CompactOptions): Cut | undefined {
  const { messages, compaction, trims } = deps.state();
  const usable = deps.meter.usable(deps.client.info);
  const from = compaction ? firstKept(messages, compaction) : 0;
  const scale = deps.meter.scale;
  const budget = usable * keepShare;
  // What the person just said is answered as it is; if it is too long, they have to hear that.
  const lastMax = isUnanswered(messages) ? Infinity : usable * Math.min(0.5, keepShare * 2);
  const sizeOf = (message: Message) => {
    const sent = asSent(message, trims);
    return sent ? messageEstimate(sent) * scale : 0;
  };
  let keptFrom = chooseKept(messages, { from, budget, lastMax, sizeOf });
  // The person asked for it while nothing runs: then everything goes, however short it is.
  const isWish = !automatic && !endsWithInput(messages);
  if (keptFrom <= from && isWish && messages.length - from >= 2) keptFrom = messages.length;
  const goes = modelMessages({ compaction, messages: messages.slice(0, keptFrom) });
  const goesTokens = goes.reduce((sum, message) => sum + messageEstimate(message), 0);
  if (keptFrom <= from || goesTokens === 0) return undefined;
  return { older: goes, former: compaction?.summary, keptFrom, usable };
}

function isUnanswered(messages: readonly Message[]): boolean {
  return messages.at(-1)?.role === 'user';
}

async function accept(
  deps: CompactDeps,
  {
    cut,
    answer,
    options: { automatic },
  }: { cut: Cut; answer: Exclude<SummaryAnswer, { kind: 'aborted' }>; options: CompactOptions },
): Promise<CompactEnd> {
  const state = deps.state();
  const { messages, trims } = state;
  const before = deps.meter.estimate(modelMessages(state), deps.fixedTokens);
  // When the newest messages are the big ones, they have to go too.
  const further = isUnanswered(messages) ? [] : [messages.length];
  for (const keptFrom of [cut.keptFrom, ...further]) {
    const summary = composeSummary(deps, { cut, answer, keptFrom });
    const kept = messages[keptFrom]?.id ?? null;
    const compaction = { summary, keptFrom: kept, messagesBefore: messages.length };
    const after = deps.meter.estimate(modelMessages({ messages, compaction, trims }), deps.fixedTokens);
    // What the person wishes is done when it helps the history; unasked it has to help the request, or it never ends.
    const base = automatic ? 0 : deps.meter.estimate([], deps.fixedTokens);
    if (after - base > (before - base) * acceptedShare) continue;
    const change: Change = { tokensBefore: before, tokensAfter: after, dropped: droppedBy(state, keptFrom) };
    const scale = deps.meter.knownScale;
    await deps.emit({ kind: 'thread-compacted', summary, keptFrom: kept, ...change, scale });
    return { kind: 'compacted', ...change, ...(answer.kind === 'none' ? { modelFailure: answer.why } : {}) };
  }
  return { kind: 'useless' };
}

/** What the model had until now as it was, and has no more. */
function droppedBy({ messages, compaction }: ThreadState, keptFrom: number): Change['dropped'] {
  const gone = messages.slice(compaction ? firstKept(messages, compaction) : 0, keptFrom);
  const results = answeredCalls(gone).map(({ result }) => result);
  const files = new Set(results.flatMap(({ fileStates }) => (fileStates ?? []).map(({ path }) => path)));
  const said = gone.filter(({ role }) => role !== 'notice');
  return { messages: said.length, results: results.length, files: files.size };
}

function composeSummary(
  deps: CompactDeps,
  {
    cut,
    answer,
    keptFrom,
  }: { cut: Cut; answer: Exclude<SummaryAnswer, { kind: 'aborted' }>; keptFrom: number },
): string {
  const { messages, todos, notes = '' } = deps.state();
  const gone = messages.slice(0, keptFrom);
  const room = Math.min(24_000, Math.floor(cut.usable * 0.2 * charsPerToken));
  const told = answer.kind === 'text' ? clip(answer.text, room) : mechanical(cut, Math.floor(room / 2));
  const words = personsWords(gone, Math.min(6_000, Math.floor(room / 3)));
  const { read, changed } = touchedFiles(gone, { cwd: deps.cwd, isWrite: writesOf(deps) });
  const openTodos = todos.some(({ status }) => status !== 'completed') ? todoLines(todos) : [];
  const todoList = clip(openTodos.join('\n'), maxTodoChars);
  return [
    '<engine-note>\nTo make room, the conversation up to here was replaced by this summary. Go on from it; what follows it is newer. Read files again before you edit them. The tool recall finds everything that was said, called and answered before.\n</engine-note>',
    section(
      'What the person said, word for word',
      words.map((text) => `> ${text.replaceAll('\n', '\n> ')}`),
    ),
    told,
    section('Todo list', todoList === '' ? [] : [todoList]),
    section('Your working notes', notes === '' ? [] : [notes]),
    section('Files changed', changed.slice(-40)),
    section('Files read', read.slice(-25)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Without a model: what happened, a line each, and what went wrong with its exact words. */
function mechanical({ older, former }: Cut, maxChars: number): string {
  const third = Math.floor(maxChars / 3);
  const parts = [
    section(
      'Before that',
      former === undefined ? [] : [clip(former.replace(/^<engine-note>.*?<\/engine-note>\s*/s, ''), third)],
    ),
    section('What happened', [digest(former === undefined ? older : older.slice(1), third)]),
    section('Failed', failures(older, third)),
  ];
  return parts.filter((text) => text !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
}

/** Whether a tool changes files. */
function writesOf({ tools }: CompactDeps): (tool: string) => boolean {
  return (tool) => tools.find(({ name }) => name === tool)?.effect === 'write';
}
