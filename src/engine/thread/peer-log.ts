import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { createIdSource } from '#lib/ids.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ThreadHeader } from '#protocol/thread-entry.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import { findLog } from './store.ts';
import { newThreadPaths } from './thread-paths.ts';

/** A conversation that another agent had, whatever form it kept it in. All text is untrusted. */
export type PeerConversation = {
  /** Name of the agent. */
  agent: string;
  /** Its own id of the conversation. */
  id: string;
  /** Where it lies. */
  file: string;
  /** The folder that it worked in; '' = not known. */
  cwd: string;
  title?: string;
  messages: readonly PeerMessage[];
};

export type PeerMessage = {
  role: 'user' | 'assistant';
  /** Milliseconds since 1970. */
  at: number;
  model?: ModelRef;
  parts: readonly PeerPart[];
};

export type PeerPart =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | {
      kind: 'call';
      tool: string;
      input: JsonValue;
      /** undefined: the transcript has none. */
      result?: { text: string; isError: boolean };
    };

/** Longer texts are cut: no prompt and no result of a tool that a model had in its window is longer. */
const maxText = 400_000;

/**
 * Writes a conversation of another agent as a thread of ours, which any model goes on with. Resolves with its id, or
 * with null when it was written before. Leaves nothing behind when it fails.
 */
export async function writePeerThread(
  home: string,
  conversation: PeerConversation,
  { cwd, llmcodeVersion, name }: { cwd: string; llmcodeVersion: string; name: string },
): Promise<string | null> {
  const ids = createIdSource();
  const threadId = peerThreadId(conversation);
  if (await findLog(home, threadId).catch(() => null)) return null;
  const { agent, file, id } = conversation;
  const now = Date.now();
  // Nothing was said in the future, whatever a transcript says.
  const messages = conversation.messages.map((message) => ({ ...message, at: Math.min(message.at, now) }));
  const [first] = messages;
  const last = messages.at(-1);
  const header: ThreadHeader = {
    type: 'thread',
    version: 1,
    threadId,
    cwd,
    createdAt: first?.at ?? now,
    llmcodeVersion,
    importedFrom: { agent, file, id },
  };
  const events = eventsOf({ ...conversation, messages }, { threadId, cwd, ids, name });
  const { log } = newThreadPaths(home, cwd, threadId);
  // Whole or not at all; two that import the same write the same.
  await writePrivateFile(log, [header, ...events].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  // Lists go by it: the conversation is as old as it is.
  if (last) await utimes(log, new Date(last.at), new Date(last.at)).catch(() => undefined);
  return threadId;
}

type Draft = EngineEvent extends infer Each
  ? Each extends EngineEvent
    ? Omit<Each, 'threadId' | 'seq'>
    : never
  : never;

function eventsOf(
  { messages }: PeerConversation,
  { threadId, cwd, ids, name }: { threadId: string; cwd: string; ids: () => string; name: string },
): EngineEvent[] {
  const events: EngineEvent[] = [];
  let state: ThreadState = emptyThreadState({ threadId, cwd, mode: 'prompt' });
  const emit = (draft: Draft) => {
    const event = { ...draft, threadId, seq: events.length + 1 } as EngineEvent;
    events.push(event);
    state = applyEvent(state, event);
  };
  let turn: { id: string; at: number; steps: number } | null = null;
  const endTurn = (at: number) => {
    if (!turn) return;
    const tally = { name: name === '' ? null : name, messages: state.messages.length };
    const durationMs = Math.max(0, at - turn.at);
    emit({ kind: 'turn-end', turnId: turn.id, at, reason: 'done', steps: turn.steps, durationMs, tally });
    turn = null;
  };
  if (name !== '') emit({ kind: 'thread-renamed', turnId: null, at: messages[0]?.at ?? 0, name });
  let lastAt = messages[0]?.at ?? 0;
  for (const message of messages) {
    const { role, at } = message;
    if (role === 'user') {
      endTurn(lastAt);
      const turnId = ids();
      turn = { id: turnId, at, steps: 0 };
      emit({ kind: 'turn-start', turnId, at });
      emit({ kind: 'message-added', turnId, at, message: personMessage(message, ids) });
    } else {
      if (!turn) {
        turn = { id: ids(), at, steps: 0 };
        emit({ kind: 'turn-start', turnId: turn.id, at });
      }
      turn.steps += 1;
      for (const draft of answerEvents(message, { turnId: turn.id, ids })) emit(draft);
    }
    lastAt = at;
  }
  endTurn(lastAt);
  return events;
}

function personMessage({ at, parts }: PeerMessage, ids: () => string) {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return {
    id: ids(),
    role: 'user' as const,
    origin: 'person' as const,
    parts: [{ id: ids(), kind: 'text' as const, text: cut(texts.join('\n\n')) }],
    createdAt: at,
  };
}

function answerEvents(
  { at, parts, model }: PeerMessage,
  { turnId, ids }: { turnId: string; ids: () => string },
): Draft[] {
  const messageId = ids();
  const base = { turnId, at };
  const drafts: Draft[] = [
    { ...base, kind: 'message-start', messageId, model: model ?? { provider: 'imported', model: 'unknown' } },
  ];
  const runs: Draft[] = [];
  for (const part of parts) {
    const partId = ids();
    if (part.kind !== 'call') {
      const text = cut(part.text);
      drafts.push(
        { ...base, kind: `${part.kind}-start`, messageId, partId } as Draft,
        {
          ...base,
          kind: `${part.kind}-end`,
          messageId,
          part: { id: partId, kind: part.kind, text },
        } as Draft,
      );
      continue;
    }
    const callId = ids();
    const tool = ownToolName(part.tool);
    const input = isObject(part.input) ? part.input : { value: part.input };
    const title = titleOf(input);
    const whole = {
      id: partId,
      kind: 'tool-call' as const,
      callId,
      tool,
      input,
      ...(title ? { title } : {}),
    };
    drafts.push(
      { ...base, kind: 'tool-call-start', messageId, partId, callId, tool },
      { ...base, kind: 'tool-call-end', messageId, part: whole },
    );
    const { text, isError } = part.result ?? {
      text: 'The transcript has no result of this call.',
      isError: true,
    };
    runs.push(
      { ...base, kind: 'tool-run-start', messageId, callId },
      {
        ...base,
        kind: 'tool-run-end',
        messageId,
        callId,
        result: {
          status: isError ? 'error' : 'ok',
          forModel: [{ kind: 'text', text: cut(text) }],
          durationMs: 0,
        },
      },
    );
  }
  const finish = runs.length > 0 ? 'tool-calls' : 'stop';
  drafts.push({ ...base, kind: 'message-end', messageId, finish, usage: null, costUsd: null });
  return [...drafts, ...runs];
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a call was about, as its own tool would say it. */
function titleOf(input: { [key: string]: JsonValue }): string | undefined {
  for (const key of ['file_path', 'path', 'command', 'cmd', 'pattern', 'query', 'url', 'description']) {
    const value = input[key];
    const text = Array.isArray(value) ? value.join(' ') : value;
    if (typeof text === 'string' && text !== '') return text.replaceAll(/\s+/g, ' ').slice(0, 200);
  }
  return undefined;
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}\n…` : text;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id that a conversation gets as a thread of ours: always the same, and in the order of time among the others. */
export function peerThreadId({ agent, id, messages }: PeerConversation): string {
  let time = Math.floor(messages[0]?.at ?? 0);
  let stamp = '';
  for (let place = 0; place < 10; place += 1) {
    stamp = `${digits[time % 32]}${stamp}`;
    time = Math.floor(time / 32);
  }
  const hash = createHash('sha256').update(`${agent}\n${id}`).digest();
  return `${stamp}${[...hash.subarray(0, 16)].map((byte) => digits[byte % 32]).join('')}`;
}
