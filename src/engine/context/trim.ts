import type { Message, ToolCallPart, ToolResultRecord } from '#protocol/message.ts';
import type { ThreadState, TrimLevel } from '#protocol/thread-state.ts';
import { endsWithInput, firstKept } from './history.ts';
import { messageEstimate, resultEstimate, textEstimate } from './token-estimate.ts';
import { trimmedResult } from './trimmed-result.ts';

export type Trim = { callId: string; level: TrimLevel };
type Answered = ToolCallPart & { result: ToolResultRecord };

/** A result below this is not worth a place in the log. */
const worthTokens = 120;

/**
 * What of the tool results can go, oldest and newest alike at once, so that the prefix that stays is rewritten once and
 * then left alone: reads of files that were read or changed later, and results before the newest `keep` tokens. The
 * newest results, which the model has not seen yet, are cut only when they alone take more than `lastMax`. With
 * `hard` nothing is left of old results but a line. `keep` and `lastMax` are plain estimates.
 */
export function planTrim(
  { messages, compaction, trims }: Pick<ThreadState, 'messages' | 'compaction' | 'trims'>,
  { keep, lastMax, hard = false }: { keep: number; lastMax: number; hard?: boolean },
): Trim[] {
  const from = compaction ? firstKept(messages, compaction) : 0;
  const border = keptBorder(messages, { from, keep });
  const superseded = supersededReads(messages.slice(from));
  const plan: Trim[] = [];
  for (const message of messages.slice(from, border)) {
    for (const part of answered(message)) {
      const level = hard ? 'gone' : superseded.has(part.callId) ? 'superseded' : 'preview';
      if (isWorth(part, level, trims[part.callId])) plan.push({ callId: part.callId, level });
    }
  }
  return [...plan, ...trimLast(messages, { trims, lastMax, border })];
}

/** Index of the first message whose results stay; what the model has not seen yet always does. */
function keptBorder(messages: readonly Message[], { from, keep }: { from: number; keep: number }): number {
  const unseen = unseenFrom(messages);
  let border = messages.length;
  let sum = 0;
  while (border > from) {
    const message = messages[border - 1];
    if (!message) break;
    sum += messageEstimate(message);
    if (sum > keep && border <= unseen) break;
    border -= 1;
  }
  return border;
}

/** Index of the model's last message: the results of its calls, and what came after it, go out for the first time. */
function unseenFrom(messages: readonly Message[]): number {
  const newest = messages.findLastIndex(({ role }) => role === 'assistant');
  return newest === -1 ? messages.length - 1 : newest;
}

/** The largest results of the newest message, until the rest fits. */
function trimLast(
  messages: readonly Message[],
  { trims, lastMax, border }: { trims: ThreadState['trims']; lastMax: number; border: number },
): Trim[] {
  if (!endsWithInput(messages)) return [];
  const unseen = messages.slice(Math.max(border, unseenFrom(messages))).flatMap(answered);
  let sum = unseen.reduce((total, part) => total + resultEstimate(part), 0);
  if (sum <= lastMax) return [];
  const plan: Trim[] = [];
  for (const part of unseen.toSorted((one, other) => resultEstimate(other) - resultEstimate(one))) {
    if (sum <= lastMax) break;
    if (!isWorth(part, 'preview', trims[part.callId])) continue;
    sum -= resultEstimate(part) - textEstimate(trimmedResult(part, 'preview'));
    plan.push({ callId: part.callId, level: 'preview' });
  }
  return plan;
}

function answered(message: Message): Answered[] {
  return message.parts.filter((part): part is Answered => part.kind === 'tool-call' && !!part.result);
}

const strength: Readonly<Record<TrimLevel, number>> = { preview: 1, superseded: 2, gone: 3 };

function isWorth(part: Answered, level: TrimLevel, now: TrimLevel | undefined): boolean {
  if (now && strength[now] >= strength[level]) return false;
  const size = now ? textEstimate(trimmedResult(part, now)) : resultEstimate(part);
  return size - textEstimate(trimmedResult(part, level)) >= worthTokens;
}

/** Calls that read a file which a later call read as a whole, in the same part, or changed. */
function supersededReads(messages: readonly Message[]): Set<string> {
  const parts = messages.flatMap(answered).filter(({ result }) => result.status === 'ok');
  const old = new Set<string>();
  /** By file: whole once any part of it is out of date, else the parts that came again. */
  const later = new Map<string, 'whole' | Set<string>>();
  for (const part of parts.toReversed()) {
    for (const { path } of part.result.fileStates ?? []) {
      const known = later.get(path);
      const range = rangeOf(part);
      const isChange = part.result.view?.kind === 'diff' || part.result.view?.kind === 'diffs';
      if (!isChange && (known === 'whole' || known?.has(range))) old.add(part.callId);
      if (isChange || range === '') later.set(path, 'whole');
      else if (known !== 'whole') later.set(path, (known ?? new Set()).add(range));
    }
  }
  return old;
}

/** '' when the whole file was asked for. */
function rangeOf({ input }: ToolCallPart): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const { offset, limit } = input as { offset?: unknown; limit?: unknown };
  return offset === undefined && limit === undefined ? '' : `${String(offset ?? 1)}+${String(limit ?? '')}`;
}
