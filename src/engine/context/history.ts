import type { Message, MessagePart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { abortedResult } from '../thread/fold.ts';
import { hasFileImages, withInlineImages } from '../thread/images.ts';

type Compaction = NonNullable<ThreadState['compaction']>;

// What a message became for the model: the same object for the same message, so that nothing is done twice.
const cleaned = new WeakMap<Message, Message | null>();
const inlined = new WeakMap<Message, Message>();
const summaries = new WeakMap<Compaction, Message>();

/**
 * The messages of a thread as the model gets them: from the last compaction on, without what is for people only,
 * one result for every call. The thread itself stays as it is.
 */
export function modelMessages({
  compaction,
  messages,
}: Pick<ThreadState, 'compaction' | 'messages'>): Message[] {
  if (!compaction) return fromPerson(messages.flatMap((message) => cleanMessage(message) ?? []));
  const kept = messages.slice(firstKept(messages, compaction));
  return [summaryMessage(compaction), ...kept.flatMap((message) => cleanMessage(message) ?? [])];
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
    messages.findIndex((message) => message.id === keptFrom),
  );
}

function summaryMessage(compaction: Compaction): Message {
  const known = summaries.get(compaction);
  if (known) return known;
  const message: Message = {
    id: `summary-before-${compaction.keptFrom ?? compaction.messagesBefore ?? 'all'}`,
    role: 'user',
    origin: 'engine',
    parts: [{ id: 'summary', kind: 'text', text: compaction.summary }],
    createdAt: 0,
  };
  summaries.set(compaction, message);
  return message;
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
