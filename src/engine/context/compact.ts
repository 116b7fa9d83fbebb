import type { IdSource } from '#lib/ids.ts';
import type { EventBody } from '#protocol/event.ts';
import type { Message } from '#protocol/message.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { chooseKept } from './choose-kept.ts';
import { endsWithInput, firstKept, modelMessages } from './history.ts';
import { askForSummary, type SummaryAnswer } from './summarise.ts';
import { messageEstimate } from './token-estimate.ts';
import type { TokenMeter } from './token-meter.ts';
import { clip, digest, personsWords, todoLines, touchedFiles, transcript } from './transcript.ts';

export type CompactDeps = {
  client: ModelClient;
  state(): ThreadState;
  meter: TokenMeter;
  /** Plain estimate of system prompt and tools. */
  fixedTokens: number;
  tools: readonly ToolDef[];
  cwd: string;
  ids: IdSource;
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
  | { kind: 'compacted'; tokensBefore: number; tokensAfter: number }
  /** There is not enough that could be summarised. */
  | { kind: 'nothing' }
  | { kind: 'aborted' }
  /** A summary would free too little; the history stays as it was. */
  | { kind: 'useless' };

/** Characters that one token has at least, on average; on the safe side for cutting. */
const charsPerToken = 3;
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
  await deps.emit({ kind: 'compaction-start', automatic: options.automatic });
  const answer = await askForSummary(deps, {
    threadId: deps.state().threadId,
    transcript: transcript(cut.older, Math.floor(cut.usable * 0.6 * charsPerToken)),
    focus: options.focus,
    signal: options.signal,
  });
  const end = answer.kind === 'aborted' ? answer : await accept(deps, { cut, answer });
  const cost = answer.kind === 'text' ? { usage: answer.usage, costUsd: answer.costUsd } : {};
  await deps.emit({ kind: 'compaction-end', ...cost });
  return end;
}

type Cut = {
  /** What goes: the last summary, if there is one, and the messages after it. */
  older: Message[];
  keptFrom: number;
  usable: number;
};

function chooseCut(deps: CompactDeps, { automatic, keepShare }: CompactOptions): Cut | undefined {
  const { messages, compaction } = deps.state();
  const usable = deps.meter.usable(deps.client.info);
  const from = compaction ? firstKept(messages, compaction) : 0;
  const scale = deps.meter.scale;
  const budget = usable * keepShare;
  // What the person just said is answered as it is; if it is too long, they have to hear that.
  const lastMax = isUnanswered(messages) ? Infinity : usable * Math.min(0.5, keepShare * 2);
  let keptFrom = chooseKept(messages, { from, budget, lastMax, scale });
  // The person asked for it while nothing runs: then everything goes, however short it is.
  const isWish = !automatic && !endsWithInput(messages);
  if (keptFrom <= from && isWish && messages.length - from >= 2) keptFrom = messages.length;
  const goes = modelMessages({ compaction, messages: messages.slice(0, keptFrom) });
  const goesTokens = goes.reduce((sum, message) => sum + messageEstimate(message), 0);
  if (keptFrom <= from || goesTokens === 0) return undefined;
  return { older: goes, keptFrom, usable };
}

function isUnanswered(messages: readonly Message[]): boolean {
  return messages.at(-1)?.role === 'user';
}

async function accept(
  deps: CompactDeps,
  { cut, answer }: { cut: Cut; answer: Exclude<SummaryAnswer, { kind: 'aborted' }> },
): Promise<CompactEnd> {
  const state = deps.state();
  const before = deps.meter.estimate(modelMessages(state), deps.fixedTokens);
  // When the newest messages are the big ones, they have to go too.
  const further = isUnanswered(state.messages) ? [] : [state.messages.length];
  for (const keptFrom of [cut.keptFrom, ...further]) {
    const summary = composeSummary(deps, { cut, answer, keptFrom });
    const kept = state.messages[keptFrom]?.id ?? null;
    const compaction = { summary, keptFrom: kept, messagesBefore: state.messages.length };
    const after = deps.meter.estimate(
      modelMessages({ messages: state.messages, compaction }),
      deps.fixedTokens,
    );
    if (after > before * acceptedShare) continue;
    const tokens = { tokensBefore: before, tokensAfter: after };
    await deps.emit({ kind: 'thread-compacted', summary, keptFrom: kept, ...tokens });
    return { kind: 'compacted', ...tokens };
  }
  return { kind: 'useless' };
}

function composeSummary(
  deps: CompactDeps,
  {
    cut,
    answer,
    keptFrom,
  }: { cut: Cut; answer: Exclude<SummaryAnswer, { kind: 'aborted' }>; keptFrom: number },
): string {
  const { messages, todos } = deps.state();
  const gone = messages.slice(0, keptFrom);
  const room = Math.min(24_000, Math.floor(cut.usable * 0.2 * charsPerToken));
  const told = answer.kind === 'text' ? clip(answer.text, room) : digest(cut.older, Math.floor(room / 2));
  const words = personsWords(gone, Math.min(6_000, Math.floor(room / 3)));
  const isWrite = (tool: string) => deps.tools.find(({ name }) => name === tool)?.effect === 'write';
  const { read, changed } = touchedFiles(gone, { cwd: deps.cwd, isWrite });
  const openTodos = todos.some(({ status }) => status !== 'completed') ? todoLines(todos) : [];
  return [
    '<engine-note>\nTo make room, the conversation up to here was replaced by this summary. Go on from it; read files again before you edit them.\n</engine-note>',
    section(
      'What the person said, word for word',
      words.map((text) => `> ${text.replaceAll('\n', '\n> ')}`),
    ),
    told,
    section('Todo list', openTodos),
    section('Files changed', changed.slice(-40)),
    section('Files read', read.slice(-25)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
}
