import type { Message, MessagePart } from '#protocol/message.ts';
import type { HistoryView, ThreadState, TrimLevel } from '#protocol/thread-state.ts';
import { abortedResult } from '../thread/fold.ts';
import { hasFileImages, withInlineImages } from '../thread/images.ts';
import { trimmedResult } from './trimmed-result.ts';

type Compaction = NonNullable<ThreadState['compaction']>;

// What a message became for the model: the same object for the same message, so that nothing is done twice.
const cleaned = new WeakMap<Message, Message | null>();
const inlined = new WeakMap<Message, Message>();
const summaries = new WeakMap<Compaction, Message>();
const trimmed = new WeakMap<Message, { levels: string; message: Message }>();

type Trims = HistoryView['trims'];
const noTrims: Trims = {};

/**
 * The messages of a thread as the model gets them: from the last compaction on, without what is for people only,
 * one result for every call. The thread itself stays as it is.
 */
export function modelMessages({
  compaction,
  messages,
  trims = noTrims,
}: Pick<ThreadState, 'compaction' | 'messages'> & { trims?: Trims }): Message[] {
  const sent = (message: Message) => asSent(message, trims) ?? [];
  if (!compaction) return fromPerson(messages.flatMap(sent));
  return [summaryMessage(compaction), ...messages.slice(firstKept(messages, compaction)).flatMap(sent)];
}

/** One message as the model gets it; undefined when it gets nothing of it. */
export function asSent(message: Message, trims: Trims): Message | undefined {
  const kept = cleanMessage(message);
  return kept && trimMessage(kept, trims);
}

/** Several APIs want the person to begin; in a copy of a damaged thread the first words may be gone. */
function fromPerson(messages: Message[]): Message[] {
  return messages[0]?.role === 'assistant' ? [lostBeginning, ...messages] : messages;
}

const lostBeginning: Message = {
  id: 'lost-beginning',
  role: 'user',
  origin: 'engine',
  parts: [
    {
      id: 'note',
      kind: 'text',
      text: '<engine-note>\nThe beginning of this conversation is lost.\n</engine-note>',
    },
  ],
  createdAt: 0,
};

/** The same messages with their images inline, as a model call needs them. */
export async function withImages(messages: readonly Message[], filesDir: string): Promise<Message[]> {
  const result: Message[] = [];
  for (const message of messages) {
    const ready =
      inlined.get(message) ?? (hasFileImages(message) ? await withInlineImages(message, filesDir) : message);
    if (ready !== message) inlined.set(message, ready);
    result.push(ready);
  }
  return result;
}

/** True when the next thing to come is an answer of the model. */
export function endsWithInput(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (!last) return false;
  return last.role === 'user' || last.parts.some((part) => part.kind === 'tool-call');
}

/** Index of the first message that is sent as it is. */
export function firstKept(messages: readonly Message[], { keptFrom, messagesBefore }: Compaction): number {
  if (keptFrom === null) return messagesBefore ?? messages.length;
  return Math.max(
    0,
    messages.findLastIndex((message) => message.id === keptFrom),
  );
}

const summaryId = 'summary-before-';

/** True for the message that stands for what was summarised. */
export function isSummary({ id }: Message): boolean {
  return id.startsWith(summaryId);
}

function summaryMessage(compaction: Compaction): Message {
  const known = summaries.get(compaction);
  if (known) return known;
  const message: Message = {
    id: `${summaryId}${compaction.keptFrom ?? compaction.messagesBefore ?? 'all'}`,
    role: 'user',
    origin: 'engine',
    parts: [{ id: 'summary', kind: 'text', text: compaction.summary }],
    createdAt: 0,
  };
  summaries.set(compaction, message);
  return message;
}

/** Calls stay as they are, and so does every signed part: only what a result says gets shorter. */
function trimMessage(message: Message, trims: Trims): Message {
  if (trims === noTrims || message.role !== 'assistant') return message;
  const levelOf = (part: MessagePart) => (part.kind === 'tool-call' ? trims[part.callId] : undefined);
  const levels = message.parts.map((part) => levelOf(part) ?? '').join(',');
  if (!/[a-z]/.test(levels)) return message;
  const known = trimmed.get(message);
  if (known?.levels === levels) return known.message;
  const parts = message.parts.map((part) => trimPart(part, levelOf(part)));
  const result = { ...message, parts };
  trimmed.set(message, { levels, message: result });
  return result;
}

function trimPart(part: MessagePart, level: TrimLevel | undefined): MessagePart {
  if (part.kind !== 'tool-call' || !level || !part.result) return part;
  const text = trimmedResult({ ...part, result: part.result }, level);
  return { ...part, result: { ...part.result, forModel: [{ kind: 'text', text }] } };
}

function cleanMessage(message: Message): Message | undefined {
  const known = cleaned.get(message);
  if (known !== undefined) return known ?? undefined;
  const result = clean(message);
  cleaned.set(message, result ?? null);
  return result;
}

function clean(message: Message): Message | undefined {
  if (message.role === 'notice') return undefined;
  const isBroken = message.finish === 'aborted' || message.finish === 'lost' || message.finish === 'error';
  const parts = message.parts.flatMap((part) => cleanPart(part, { isBroken }) ?? []);
  // Reasoning alone is no answer, and several APIs refuse a message that holds nothing else.
  if (!parts.some((part) => part.kind !== 'reasoning')) return undefined;
  const isSame =
    parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index]);
  return isSame ? message : { ...message, parts };
}

function cleanPart(part: MessagePart, { isBroken }: { isBroken: boolean }): MessagePart | undefined {
  switch (part.kind) {
    case 'notice':
    case 'consult':
      return undefined;
    case 'text':
      return part.text.trim() === '' ? undefined : part;
    case 'reasoning':
      // Half a thought has no signature.
      return isBroken && !part.private ? undefined : part;
    case 'image':
      return part;
    case 'tool-call':
      if (part.result) return part;
      if (part.rawInput === '') return undefined;
      return { ...part, result: abortedResult('This call has no result; it may have had effects.') };
  }
}
